import { deliveryRefusals } from '#contract/delivery/refusals.ts'
import { problems } from '#platform/problem.ts'

export const deliveryProblem = problems(deliveryRefusals)
