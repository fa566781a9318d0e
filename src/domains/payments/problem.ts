import { paymentRefusals } from '#contract/payments/refusals.ts'
import { problems } from '#platform/problem.ts'

export const paymentProblem = problems(paymentRefusals)
