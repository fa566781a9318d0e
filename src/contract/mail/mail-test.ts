import { z } from 'zod'

export const mailTest = z.object({
  is_accepted: z.boolean(),
  to: z.string(),
  answer: z.string(),
  advice: z.string(),
})
export type MailTest = z.output<typeof mailTest>
