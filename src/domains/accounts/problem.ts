import { accountRefusals } from '#contract/refusals.ts'
import { problems } from '#platform/problem.ts'

export const accountProblem = problems(accountRefusals)
