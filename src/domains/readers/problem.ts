import { readerRefusals } from '#contract/readers/refusals.ts'
import { problems } from '#platform/problem.ts'

export const readerProblem = problems(readerRefusals)
