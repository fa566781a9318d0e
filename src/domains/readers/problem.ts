import { readerRefusals } from '#contract/refusals.ts'
import { problems } from '#platform/problem.ts'

export const readerProblem = problems(readerRefusals)
