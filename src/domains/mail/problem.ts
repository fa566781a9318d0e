import { mailRefusals } from '#contract/mail/refusals.ts'
import { problems } from '#platform/problem.ts'

export const mailProblem = problems(mailRefusals)
