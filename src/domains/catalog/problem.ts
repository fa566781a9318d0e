import { catalogRefusals } from '#contract/catalog/refusals.ts'
import { problems } from '#platform/problem.ts'

export const catalogProblem = problems(catalogRefusals)
