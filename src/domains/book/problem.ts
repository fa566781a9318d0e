import { bookRefusals } from '#contract/book/refusals.ts'
import { problems } from '#platform/problem.ts'

export const bookProblem = problems(bookRefusals)
