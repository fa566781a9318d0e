import { z } from 'zod'
import { id, optionalText, timestamp } from '../fields.ts'

export const maxRecipients = 500

/** Bytes. With the message it has to fit into a request (64 KiB). */
const listBytes = 50_000

/** What each address gets: a free copy, or a discount code. */
const grantItem = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('copy'), product_id: id }),
  z.strictObject({ kind: z.literal('code'), code_id: id }),
])
export type GrantItem = z.infer<typeof grantItem>

export const grantRequest = z.strictObject({
  present: grantItem,
  list: z.string().refine((list) => new TextEncoder().encode(list).length <= listBytes, {
    message: 'This list is too long. Please send it in two parts.',
  }),
  message: optionalText(2000),
})
export type GrantRequest = z.infer<typeof grantRequest>

export const grantSending = grantRequest.extend({
  mails_again: z.boolean().optional(),
  current_password: z.string().max(200).optional(),
})
export type GrantSending = z.infer<typeof grantSending>

/** `has_it`: the account had the product before. `limited`: the admin's emails of the day. */
const grantOutcome = z.enum([
  'new',
  'mailed_again',
  'given_before',
  'has_it',
  'sold_out',
  'limited',
  'failed',
])
export type GrantOutcome = z.infer<typeof grantOutcome>

const recipient = z.object({ line: z.number().int(), email: z.string(), name: z.string().nullable() })
export type Recipient = z.infer<typeof recipient>

const badRow = z.object({ line: z.number().int(), text: z.string(), reason: z.string() })
export type BadRow = z.infer<typeof badRow>

export const grantCheck = z.object({
  recipients: z.array(recipient.extend({ outcome: grantOutcome })),
  bad_rows: z.array(badRow),
  mail: z.object({ subject: z.string(), text: z.string() }),
  is_mail_kept: z.boolean(),
  uses_left: z.number().int().nullable(),
})
export type GrantCheck = z.infer<typeof grantCheck>

export const grantsSent = grantCheck.omit({ mail: true, uses_left: true })
export type GrantsSent = z.infer<typeof grantsSent>

export const grant = z.object({
  id,
  email: z.string(),
  present: z.string(),
  kind: z.enum(['copy', 'code']),
  purchase_id: id.nullable(),
  created_at: timestamp,
  /** Null for a code, too. */
  opened_at: timestamp.nullable(),
})
export type Grant = z.infer<typeof grant>

export const maxListedGrants = 100

export const grantList = z.array(grant)
