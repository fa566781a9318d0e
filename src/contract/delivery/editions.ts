// New editions, days of publication, and how long downloads are stored.
import { z } from 'zod'
import { id, timestamp, email } from '../fields.ts'
import { changes, fileFormat } from '../catalog/products.ts'

export const announcement = z.object({
  product: z.object({ id, name: z.string() }),
  file_format: fileFormat,
  edition: z.number().int(),
  changes: z.string(),
  /** Editions of a format can be announced while they are its newest. */
  is_newest: z.boolean(),
  state: z.enum(['none', 'under_way', 'paused', 'done']),
  announced_at: timestamp.nullable(),
  /** Readers who are told; before an announcement, those whom it would tell now. */
  owners: z.number().int(),
  /** These of the owners have paid for it; the others got a copy free of charge. */
  buyers: z.number().int(),
  counts: z.object({
    waiting: z.number().int(),
    under_way: z.number().int(),
    sent: z.number().int(),
    skipped: z.number().int(),
    failed: z.number().int(),
  }),
  /** No email leaves before a mail server is set up. */
  is_mail_unsent: z.boolean(),
  per_hour: z.number().int(),
})
export type Announcement = z.infer<typeof announcement>

export const editionLink = z.object({ url: z.string() })

export const announcementRequest = z.strictObject({ changes })

/** The email differs for those who have paid and those who got a copy. */
export const announcementPreview = announcementRequest.extend({ is_buyer: z.boolean() })

export const pauseRequest = z.strictObject({ is_paused: z.boolean() })

export const ownEdition = z.object({
  product_id: id,
  title: z.string(),
  file_format: fileFormat,
  edition: z.number().int(),
  changes: z.string(),
  created_at: timestamp,
  is_lost: z.boolean(),
})
export type OwnEdition = z.infer<typeof ownEdition>

export const ownEditions = z.object({ items: z.array(ownEdition) })

/** The choice of a reader to get these emails or not. */
export const mailChoices = z.object({ has_editions: z.boolean() })
export type MailChoices = z.infer<typeof mailChoices>

/** `gets_letters`: the address is on the author's list, which the link ends only. */
export const linkedMailChoices = mailChoices.extend({ gets_letters: z.boolean() })
export type LinkedMailChoices = z.infer<typeof linkedMailChoices>

export const mailChoicesRequest = z.strictObject({ has_editions: z.boolean() })

export const waitlistRequest = z.strictObject({ email })

export const waitlistToken = z.strictObject({ token: z.string().max(100) })

export const waitlistEntry = z.object({ product_name: z.string() })
export const linkedWaitlistEntry = waitlistEntry.extend({ state: z.enum(['unconfirmed', 'confirmed']) })

/** Days that downloads are stored. The longest time that a card network allows for a dispute is 540 days. */
export const evidenceDays = 730
