// The refusals of this domain as Problems.
import { readerRefusals } from '#contract/refusals.ts'
import { problems } from '#platform/problem.ts'

export const readerProblem = problems(readerRefusals)
