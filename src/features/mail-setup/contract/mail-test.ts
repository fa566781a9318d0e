import { z } from 'zod'

export const mailTest = z.object({
  is_accepted: z.boolean(),
  to: z.string(),
  /** The server's own words, or why there were none. */
  answer: z.string(),
  /** What to do about a refusal; empty where the mail was accepted. */
  advice: z.string(),
})
export type MailTest = z.output<typeof mailTest>
