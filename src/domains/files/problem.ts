import { fileRefusals } from '#contract/files/refusals.ts'
import { problems } from '#platform/problem.ts'

export const fileProblem = problems(fileRefusals)
