import { z } from 'zod'
import { id, optionalText, timestamp } from '../fields.ts'

export const maxRecipients = 500

/** Bytes. With the message it has to fit into a request (64 KiB). */
const listBytes = 50_000

const present = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('copy'), product_id: id }),
  z.strictObject({ kind: z.literal('code'), code_id: id }),
])
export type Present = z.infer<typeof present>

export const giftRequest = z.strictObject({
  present,
  list: z.string().refine((list) => new TextEncoder().encode(list).length <= listBytes, {
    message: 'This list is too long. Please send it in two parts.',
  }),
  message: optionalText(2000),
})
export type GiftRequest = z.infer<typeof giftRequest>

export const giftSending = giftRequest.extend({
  mails_again: z.boolean().optional(),
  current_password: z.string().max(200).optional(),
})
export type GiftSending = z.infer<typeof giftSending>

/** `has_it`: the account had the product before. `limited`: the admin's emails of the day. */
const giftOutcome = z.enum(['new', 'mailed_again', 'given_before', 'has_it', 'sold_out', 'limited', 'failed'])
export type GiftOutcome = z.infer<typeof giftOutcome>

const recipient = z.object({ line: z.number().int(), email: z.string(), name: z.string().nullable() })
export type Recipient = z.infer<typeof recipient>

const badRow = z.object({ line: z.number().int(), text: z.string(), reason: z.string() })
export type BadRow = z.infer<typeof badRow>

export const giftCheck = z.object({
  recipients: z.array(recipient.extend({ outcome: giftOutcome })),
  bad_rows: z.array(badRow),
  mail: z.object({ subject: z.string(), text: z.string() }),
  is_mail_kept: z.boolean(),
  uses_left: z.number().int().nullable(),
})
export type GiftCheck = z.infer<typeof giftCheck>

export const giftsSent = giftCheck.omit({ mail: true, uses_left: true })
export type GiftsSent = z.infer<typeof giftsSent>

export const gift = z.object({
  id,
  email: z.string(),
  present: z.string(),
  kind: z.enum(['copy', 'code']),
  purchase_id: id.nullable(),
  created_at: timestamp,
  /** Null for a code, too. */
  opened_at: timestamp.nullable(),
})
export type Gift = z.infer<typeof gift>

export const maxListedGifts = 100

export const giftList = z.array(gift)
