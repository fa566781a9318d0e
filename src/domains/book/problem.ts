// The refusals of the book’s domain as Problems.
import { bookRefusals } from '#contract/refusals.ts'
import { problems } from '#platform/problem.ts'

export const bookProblem = problems(bookRefusals)
