import { accountRefusals } from '#contract/accounts/refusals.ts'
import { problems } from '#platform/problem.ts'

export const accountProblem = problems(accountRefusals)
