// What the query for the list of needs finds, and the item of the list that is made of it.
import { z } from 'zod'
import { isInquiry } from '#platform/stripe/refunds.ts'
import { leftOf } from '../purchases/contract/purchases.ts'
import { bindings, waitingReasons, type WaitingReason } from '../withdrawals/contract/withdrawals.ts'
import type { Need } from './contract/needs-attention.ts'
import { describeOutage } from './outage-words.ts'
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
  about.extend({
    ...common,
    kind: z.literal('withdrawal'),
    refunded: z.number(),
    words: z.string(),
    waits_for: z.enum(waitingReasons),
    binding: z.enum(bindings).nullable(),
  }),
  z.object({
    ...common,
    kind: z.literal('outage'),
    outage_reason: z.enum(['unavailable', 'denied']),
    began_at: z.string(),
    ended_at: z.string(),
    people: z.number(),
    emails: z.array(z.string()),
  }),
  z.object({ ...common, kind: z.literal('code'), code: z.string() }),
  z.object({ ...common, kind: z.literal('event'), type: z.string() }),
  z.object({
    ...common,
    kind: z.literal('mail'),
    subject: z.string(),
    recipient: z.string(),
    attempts: z.number(),
    purchase_id: z.string().nullable(),
  }),
  z.object({
    ...common,
    kind: z.literal('backup'),
    run: z.enum(['backup', 'rehearsal']),
    backup_place: z.string(),
  }),
  z.object({
    ...common,
    kind: z.literal('lost_file'),
    product_id: z.string(),
    product_name: z.string(),
    file_name: z.string(),
  }),
])
type FoundNeed = z.output<typeof foundNeed>

const disputeReasons = {
  dispute: "The buyer's bank has taken the money back. Unless you respond at Stripe in time, it is lost.",
  inquiry:
    "The buyer's bank asks about this payment; no money was taken. Unless you respond at Stripe in time, a dispute may follow.",
}

const waitReasons: Record<WaitingReason, string> = {
  return:
    'The buyer wants a refund, and the parcel had already left. Refund once the book is back, or once the buyer shows that it was sent.',
  repeat: 'The buyer wants a refund and has already had one for the same product.',
  other_refund: 'The buyer wanted a full refund while a partial refund was under way.',
}
const pausedCode =
  'This discount code leaves nothing to pay, so Stripe never saw its uses since the backup that was restored. It is paused until you resume it, or end it.'

const lostReason =
  'The shop was restored without this file, because it was damaged in the backup. Until you upload it again, its product is not for sale, and its buyers read that it is missing.'

/** `isLive`: whether the shop takes real money now, for events, which belong to no payment. */
export function toNeed(
  found: FoundNeed,
  { isLive, time_zone }: { isLive: boolean; time_zone: string },
): Need {
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
    case 'withdrawal': {
      const { words, binding, refunded, waits_for } = found
      const bought = about.parse(found)
      const amount = leftOf({ amount: bought.amount, refunded })
      return { kind, ...basis, ...bought, reason: waitReasons[waits_for], amount, words, binding }
    }
    case 'outage': {
      const { people, emails, outage_reason } = found
      const [began_at, ended_at] = [new Date(found.began_at), new Date(found.ended_at)]
      const reason = describeOutage({ reason: outage_reason, began_at, ended_at, people }, time_zone)
      return { kind, ...basis, reason, people, emails }
    }
    case 'event': {
      const reason = found.reason ?? 'Stripe sent this event, and the shop could not process it yet.'
      // One that was found in the list of checkouts, after a restore, has the checkout's id.
      const path = payment_intent && id.startsWith('cs_') ? `payments/${payment_intent}` : `events/${id}`
      return { kind, ...basis, reason, stripe_url: pageAtStripe(isLive, path), type: found.type }
    }
    case 'code':
      return { kind, ...basis, reason: pausedCode, stripe_url: null, code: found.code }
    case 'backup':
      return { kind, ...basis, run: found.run, place: found.backup_place }
    case 'lost_file': {
      const { product_id, product_name, file_name } = found
      return {
        kind,
        ...basis,
        reason: lostReason,
        product: { id: product_id, name: product_name },
        file_name,
      }
    }
    default: {
      const { subject, recipient, attempts, purchase_id } = found
      return { kind, ...basis, stripe_url: null, subject, recipient, attempts, purchase_id }
    }
  }
}
