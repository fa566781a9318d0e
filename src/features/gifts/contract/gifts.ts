// Free copies and discount codes that the author sends to addresses.
import { z } from 'zod'
import { id, optionalText, timestamp } from '#platform/contract/fields.ts'

/** In one go: each gets an email. */
export const mostRecipients = 500

const present = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('copy'), product_id: id }),
  z.strictObject({ kind: z.literal('code'), code_id: id }),
])
export type Present = z.infer<typeof present>

export const giftRequest = z.strictObject({
  present,
  /** Addresses, one a line, or CSV with the columns "email" and "name". */
  list: z.string().max(50_000, 'Please keep the list under 50,000 characters.'),
  /** The author's own words in the mail. */
  message: optionalText(2000),
})
export type GiftRequest = z.infer<typeof giftRequest>

/** Why an address gets nothing: `given` and `sent` before, or its account has the product already. */
const giftOutcomes = ['new', 'given_before', 'has_it', 'sold_out'] as const
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
})
export type GiftCheck = z.infer<typeof giftCheck>

export const giftsSent = z.object({
  recipients: z.array(recipient.extend({ outcome: z.enum(giftOutcomes) })),
  bad_rows: z.array(badRow),
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

/** The newest ones. */
export const giftList = z.array(gift)
