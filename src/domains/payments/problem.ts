// The refusals of the payments domain as Problems.
import { paymentRefusals } from '#contract/refusals.ts'
import { problems } from '#platform/problem.ts'

export const paymentProblem = problems(paymentRefusals)
