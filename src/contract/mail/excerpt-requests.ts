// The excerpt by email: what a visitor asks for, and what the link of the email shows and gives.
import { z } from 'zod'
import { excerptFile } from '../catalog/excerpt-file.ts'
import { email } from '../fields.ts'
import { askedSubscriber, lettersWords } from './subscribers.ts'

/** A link gives the file so often. */
export const maxExcerptDownloads = 20

/** `letters`: the words beside the box that was ticked. `website` is hidden from people. */
export const excerptRequest = z.strictObject({
  email,
  letters: lettersWords.optional(),
  website: z.string().max(200).optional(),
})

export const linkedExcerpt = z.object({
  /** Null where the author has removed it since. */
  file: excerptFile.nullable(),
  /** The author has replaced it since the email was asked for. */
  is_replaced: z.boolean(),
  downloads_left: z.number().int(),
  /** Null where the box for letters was not ticked, or there are none any more. */
  letters: askedSubscriber.nullable(),
})
export type LinkedExcerpt = z.infer<typeof linkedExcerpt>
