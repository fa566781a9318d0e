// The author's letters: what the shop says of them wherever an address is asked for, and the words that one agrees to.
import { z } from 'zod'
import { optionalLine } from '../fields.ts'

const part = optionalLine(200)

export const lettersSettings = z.object({
  is_on: z.boolean(),
  /** Who writes, as the mail program has it. */
  sender: part,
  /** As "news of my books". */
  topics: part,
  /** As "about once a month". */
  frequency: part,
  /** The mail program that has the addresses, with its company; empty where the author uses none. */
  program: part,
})

export type LettersTerms = Omit<z.infer<typeof lettersSettings>, 'is_on'>
