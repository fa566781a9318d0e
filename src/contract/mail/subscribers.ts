// Subscribers to the author's letters, as readers and the author see them.
import { z } from 'zod'
import { cursor, email, id, pageOf, timestamp } from '../fields.ts'

/** `order`: a box at a purchase; `letters`: the page of the letters; `account`: the account's page; `excerpt`: its link's page. */
export const subscriberSources = ['order', 'letters', 'account', 'excerpt'] as const
export type SubscriberSource = (typeof subscriberSources)[number]

/** The words that a person agrees to. */
export const lettersWords = z.string().max(2000)

/** `website` is hidden from people. */
export const lettersRequest = z.strictObject({
  email,
  words: lettersWords,
  website: z.string().max(200).optional(),
})

export const subscriberToken = z.strictObject({ token: z.string().max(100) })

/**
 * `email` is shown in part. `ended_at` is set where the address has left since the mail was written. `not_offered`: the author
 * sends no letters any more, so that nothing can be confirmed.
 */
export const askedSubscriber = z.object({
  email: z.string(),
  words: z.string(),
  state: z.enum(['unconfirmed', 'confirmed', 'ended', 'not_offered']),
  ended_at: timestamp.nullable(),
})
export type AskedSubscriber = z.infer<typeof askedSubscriber>

/** What was agreed to, as its subscriber reads it. */
export const subscription = z.object({
  words: z.string(),
  source: z.enum(subscriberSources),
  agreed_at: timestamp,
  confirmed_at: timestamp,
  ended_at: timestamp.nullable(),
})
export type Subscription = z.infer<typeof subscription>

const subscriberRow = subscription.extend({ id, email: z.string() })
export type SubscriberRow = z.infer<typeof subscriberRow>

const subscriberStates = ['confirmed', 'ended'] as const

export const subscriberQuery = z.object({
  after: cursor.optional(),
  status: z.enum(subscriberStates).optional(),
})

export type SubscriberQuery = z.output<typeof subscriberQuery>

/** `is_offered`: the shop has letters now. */
export const ownLetters = z.object({ is_offered: z.boolean(), subscription: subscription.nullable() })
export type OwnLetters = z.infer<typeof ownLetters>

/** Without words the reader leaves. */
export const ownLettersRequest = z.strictObject({ words: lettersWords.optional() })

export const subscriberList = pageOf(subscriberRow).extend({
  /** Confirmed and not ended, by where they agreed. */
  counts: z.record(z.enum(subscriberSources), z.number().int()),
})
export type SubscriberList = z.infer<typeof subscriberList>
