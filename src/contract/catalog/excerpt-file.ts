// The excerpt that the author gives by email: a file of no product.
import { z } from 'zod'
import { timestamp } from '../fields.ts'

export const excerptFormats = ['epub', 'pdf'] as const

/** As large as it may be to open at once on a phone. */
export const maxExcerptMegabytes = 25

export const excerptFile = z.object({
  file_format: z.enum(excerptFormats),
  /** Bytes. */
  file_size: z.number().int(),
})
export type ExcerptFile = z.infer<typeof excerptFile>

/** As the author sees it. */
export const excerptState = z.object({
  excerpt: excerptFile
    .extend({
      /** The name with which it is downloaded. */
      file_name: z.string(),
      findings: z.array(z.string()),
      created_at: timestamp,
      /** The product that sells the same file. */
      sold_as: z.string().nullable(),
    })
    .nullable(),
  /** Emails that were asked for in the last days: older requests are deleted. */
  requests: z.number().int(),
  /** The page is that of the author's own book: the sample's offers no excerpt. */
  is_own_book: z.boolean(),
  sends_mail: z.boolean(),
})
export type ExcerptState = z.infer<typeof excerptState>

export const excerptLink = z.object({ url: z.string() })
