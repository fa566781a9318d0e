import { operationRefusals } from '#contract/operations/refusals.ts'
import { problems } from '#platform/problem.ts'

export const operationProblem = problems(operationRefusals)
