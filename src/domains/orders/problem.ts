import { orderRefusals } from '#contract/orders/refusals.ts'
import { problems } from '#platform/problem.ts'

export const orderProblem = problems(orderRefusals)
