// What the query for the list of needs finds, and the item of the list that is made of it.
import { z } from 'zod'
import { isInquiry } from '#platform/stripe/refunds.ts'
import type { Need } from './contract/needs-attention.ts'
import { pageAtStripe } from './page-at-stripe.ts'

const common = {
  id: z.string(),
  /** When it came, as PostgreSQL's text, with its microseconds. */
  place: z.string(),
  reason: z.string().nullable(),
  payment_intent: z.string().nullable(),
  is_live: z.boolean().nullable(),
}

const about = z.object({
  purchase_id: z.string(),
  number: z.number(),
  user_id: z.string(),
  email: z.string(),
  product_name: z.string(),
  amount: z.number(),
  currency: z.string(),
})

export const foundNeed = z.discriminatedUnion('kind', [
  about.extend({ ...common, kind: z.literal('dispute'), dispute_status: z.string().nullable() }),
  about.extend({
    ...common,
    kind: z.literal('held'),
    paid_total: z.number().nullable(),
    paid_currency: z.string().nullable(),
    is_going_back: z.boolean(),
  }),
  about.extend({
    ...common,
    kind: z.enum(['refund', 'refund_failed']),
    paid_currency: z.string().nullable(),
  }),
  z.object({ ...common, kind: z.literal('event'), type: z.string() }),
  z.object({
    ...common,
    kind: z.literal('mail'),
    subject: z.string(),
    recipient: z.string(),
    attempts: z.number(),
    purchase_id: z.string().nullable(),
  }),
])
type FoundNeed = z.output<typeof foundNeed>

const disputeReasons = {
  dispute: "The buyer's bank has taken the money back. Without an answer at Stripe in time it is lost.",
  inquiry:
    "The buyer's bank asks about this payment; no money was taken. Without an answer at Stripe in time a dispute may follow.",
}

/** `isLive`: whether the shop takes real money now, for events, which belong to no payment. */
export function toNeed(found: FoundNeed, isLive: boolean): Need {
  const { kind, id, payment_intent } = found
  const stripe_url = payment_intent && pageAtStripe(found.is_live, `payments/${payment_intent}`)
  const since = new Date(found.place).toISOString()
  const basis = { id, since, reason: found.reason ?? '', stripe_url }
  switch (kind) {
    case 'dispute': {
      const is_inquiry = found.dispute_status !== null && isInquiry(found.dispute_status)
      const reason = disputeReasons[is_inquiry ? 'inquiry' : 'dispute']
      return { kind, ...basis, ...about.parse(found), reason, is_inquiry }
    }
    case 'held': {
      const { paid_total: total, paid_currency, is_going_back } = found
      const paid = total !== null && paid_currency !== null ? { total, currency: paid_currency } : null
      return { kind, ...basis, ...about.parse(found), paid, is_going_back }
    }
    case 'refund':
    case 'refund_failed':
      return { kind, ...basis, ...about.parse(found), currency: found.paid_currency ?? found.currency }
    case 'event': {
      const reason = found.reason ?? 'Stripe sent this event, and the shop could not process it yet.'
      // One that was found in the list of checkouts, after a restore, has the checkout's id.
      const path = payment_intent && id.startsWith('cs_') ? `payments/${payment_intent}` : `events/${id}`
      return { kind, ...basis, reason, stripe_url: pageAtStripe(isLive, path), type: found.type }
    }
    default: {
      const { subject, recipient, attempts, purchase_id } = found
      return { kind, ...basis, stripe_url: null, subject, recipient, attempts, purchase_id }
    }
  }
}
