// The refusals of the delivery domain as Problems.
import { deliveryRefusals } from '#contract/refusals.ts'
import { problems } from '#platform/problem.ts'

export const deliveryProblem = problems(deliveryRefusals)
