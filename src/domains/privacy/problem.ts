// The refusals of erasures and own data.
import { privacyRefusals } from '#contract/refusals.ts'
import { problems } from '#platform/problem.ts'

export const privacyProblem = problems(privacyRefusals)
