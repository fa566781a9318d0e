// The refusals of orders as Problems.
import { orderRefusals } from '#contract/refusals.ts'
import { problems } from '#platform/problem.ts'

export const orderProblem = problems(orderRefusals)
