import { z } from 'zod'
import { fieldsTexts } from '#words/fields.ts'
import { comparable } from '../normal-form.ts'
import { email, line, optionalLine, optionalText, timestamp } from '../fields.ts'

export const maxNote = 500

/** What mail programs make a link of. A shop's mail server carries no stranger's links. */
const linkLike = /:\/\/|www[.\u3002]|@|[\p{L}\p{M}\p{N}-][.\u3002]\p{L}{2}/iu
const joiners = /[\u200c\u200d\p{Variation_Selector}]/gu

const noLink = (value: string) => !linkLike.test(comparable(value).replaceAll(joiners, ''))
const hasLink = { error: () => fieldsTexts.noLinks }

/** Without `send_at`, at once. */
export const giveRequest = z.strictObject({
  email,
  recipient_name: optionalLine(80).refine(noLink, hasLink),
  sender_name: line(80).refine(noLink, hasLink),
  note: optionalText(maxNote).refine(noLink, hasLink),
  send_at: timestamp.nullable().default(null),
})
export type GiveRequest = z.output<typeof giveRequest>

const giftStates = ['scheduled', 'on_its_way', 'sent', 'failed', 'opened'] as const

/** As the buyer sees it. `at`: when it is sent, was sent or was opened. */
export const givenCopy = z.object({
  email: z.string(),
  recipient_name: z.string(),
  sender_name: z.string(),
  note: z.string(),
  state: z.enum(giftStates),
  at: timestamp,
})
export type GivenCopy = z.infer<typeof givenCopy>

/** As the recipient sees it. `is_over`: the money for it went back to the buyer, or is about to. */
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
