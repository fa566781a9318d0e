// Gifts: copies that buyers give away, then what the author grants to a list of addresses.
import { z } from 'zod'
import { fieldsTexts } from '#words/fields.ts'
import { formats } from '../catalog/formats.ts'
import { comparable } from '../comparable-text.ts'
import { mailPreview } from '../mail/mail-preview.ts'
import { email, line, optionalLine, optionalText, timestamp, id } from '../fields.ts'

export const maxNote = 500

/** Mail programs make links of such text. A shop's mail server carries no stranger's links. */
const linkLike = /:\/\/|www[.\u3002]|@|[\p{L}\p{M}\p{N}-][.\u3002]\p{L}{2}/iu
const joiners = /[\u200c\u200d\p{Variation_Selector}]/gu

const noLink = (value: string) => !linkLike.test(comparable(value).replaceAll(joiners, ''))
const hasLink = { error: () => fieldsTexts.noLinks }

/** The email goes out at once where `send_at` is missing. */
export const giveRequest = z.strictObject({
  email,
  recipient_name: optionalLine(80).refine(noLink, hasLink),
  sender_name: line(80).refine(noLink, hasLink),
  note: optionalText(maxNote).refine(noLink, hasLink),
  send_at: timestamp.nullable().default(null),
})
export type GiveRequest = z.output<typeof giveRequest>

const giftStates = ['scheduled', 'on_its_way', 'sent', 'failed', 'opened'] as const

/** The buyer sees this. `at`: when it is sent, was sent or was opened. */
export const givenCopy = z.object({
  email: z.string(),
  state: z.enum(giftStates),
  at: timestamp,
})
export type GivenCopy = z.infer<typeof givenCopy>

/** The recipient sees this. `is_over`: the money for it went back to the buyer, or is about to. */
export const receivedCopy = z.object({ from: z.string(), note: z.string(), is_over: z.boolean() })
export type ReceivedCopy = z.infer<typeof receivedCopy>

export const giftToken = z.strictObject({ token: z.string().max(100) })

export const shownGift = z.object({
  product_name: z.string(),
  is_digital: z.boolean(),
  sender_name: z.string(),
  recipient_name: z.string(),
  note: z.string(),
  is_opened: z.boolean(),
})
export type ShownGift = z.infer<typeof shownGift>

/** `sign_in_token` signs in, once, an account that has nothing but gifts; other accounts sign in as always. */
export const openedGift = z.object({ email: z.string(), sign_in_token: z.string().nullable() })

/** One grant has at most as many. */
export const maxRecipients = 500

/** Bytes. With the message it has to fit into a request (64 KiB). */
const listBytes = 50_000

export const grantRequest = z.strictObject({
  product_id: id,
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
  /** It is the email of the first recipient to whom something is given. */
  mail: mailPreview,
  is_mail_unsent: z.boolean(),
})
export type GrantCheck = z.infer<typeof grantCheck>

export const grantsSent = grantCheck.omit({ mail: true })
export type GrantsSent = z.infer<typeof grantsSent>

export const grant = z.object({
  id,
  email: z.string(),
  product_name: z.string(),
  format: z.enum(formats),
  purchase_id: id.nullable(),
  created_at: timestamp,
  opened_at: timestamp.nullable(),
})
export type Grant = z.infer<typeof grant>

export const maxListedGrants = 100

export const grantList = z.array(grant)
