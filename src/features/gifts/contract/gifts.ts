// Free copies and discount codes that the author sends to addresses.
import { z } from 'zod'
import { id, optionalText, timestamp } from '#platform/contract/fields.ts'

/** In one go: each gets an email. */
export const maxRecipients = 500

/** With the message it has to fit into a request (64 KiB). */
const listBytes = 50_000

const present = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('copy'), product_id: id }),
  z.strictObject({ kind: z.literal('code'), code_id: id }),
])
export type Present = z.infer<typeof present>

export const giftRequest = z.strictObject({
  present,
  /** Addresses, one a line, or CSV with the columns "email" and "name". */
  list: z.string().refine((list) => new TextEncoder().encode(list).length <= listBytes, {
    message: 'This list is too long. Please send it in two parts.',
  }),
  /** The author's own words in the mail. */
  message: optionalText(2000),
})
export type GiftRequest = z.infer<typeof giftRequest>

export const giftSending = giftRequest.extend({
  /** To those who were given it before: the mail alone, with the message as it is now. */
  mails_again: z.boolean().optional(),
  /** The admin's own password; not needed in the ten minutes after a sign-in. */
  current_password: z.string().max(200).optional(),
})
export type GiftSending = z.infer<typeof giftSending>

/** `has_it`: the account had the product already. `limited`: the admin has sent too many mails within a day. */
const giftOutcomes = [
  'new',
  'mailed_again',
  'given_before',
  'has_it',
  'sold_out',
  'limited',
  'failed',
] as const
export type GiftOutcome = (typeof giftOutcomes)[number]

const recipient = z.object({
  line: z.number().int(),
  email: z.string(),
  name: z.string().nullable(),
})
export type Recipient = z.infer<typeof recipient>

const badRow = z.object({ line: z.number().int(), text: z.string(), reason: z.string() })
export type BadRow = z.infer<typeof badRow>

/** Nothing was sent yet. */
export const giftCheck = z.object({
  recipients: z.array(recipient.extend({ outcome: z.enum(giftOutcomes) })),
  bad_rows: z.array(badRow),
  /** As the first of them gets it. */
  mail: z.object({ subject: z.string(), text: z.string() }),
  /** The shop sends no mails yet: they stay in its outbox. */
  is_mail_kept: z.boolean(),
  /** Of a code; null without a limit. */
  uses_left: z.number().int().nullable(),
})
export type GiftCheck = z.infer<typeof giftCheck>

export const giftsSent = z.object({
  recipients: z.array(recipient.extend({ outcome: z.enum(giftOutcomes) })),
  bad_rows: z.array(badRow),
  is_mail_kept: z.boolean(),
})
export type GiftsSent = z.infer<typeof giftsSent>

const gift = z.object({
  id,
  email: z.string(),
  /** The product, or the code. */
  present: z.string(),
  kind: z.enum(['copy', 'code']),
  purchase_id: id.nullable(),
  created_at: timestamp,
})
export type Gift = z.infer<typeof gift>

/** Older ones are not listed. */
export const maxListedGifts = 100

/** Newest first. */
export const giftList = z.array(gift)
