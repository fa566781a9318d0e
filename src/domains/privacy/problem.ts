// How erasures and own data refuse.
import { privacyRefusals } from '#contract/refusals.ts'
import { problems } from '#platform/problem.ts'

export const privacyProblem = problems(privacyRefusals)
