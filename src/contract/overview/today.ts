// The figures of the admin area's first screen, and how much waits behind its navigation.
import { z } from 'zod'
import { verdict } from '../checks.ts'
import { id, boundedCount } from '../fields.ts'
import { soldCounts } from '../sold-counts.ts'
import { webhookState } from '../mail/webhook.ts'
import { attentionCount, leftAtOldPrice } from '../payments/needs-attention.ts'

/** `unanswered`: messages, counted up to 100. */
export const counts = attentionCount.extend({ to_ship: boundedCount, unanswered: z.number().int() })
export type Counts = z.infer<typeof counts>

/** `revenue`: what was sold less what was refunded on the day, be it of earlier purchases. */
const sales = soldCounts.extend({ revenue: z.number(), refunded: z.number() })

const undelivered = z.object({
  purchase_id: id,
  number: z.number().int(),
  product_name: z.string(),
  email: z.string(),
  is_test: z.boolean(),
  /** No mail server took the receipt; three downloads in an hour and none whole; the buyer could not sign in. */
  reason: z.enum(['receipt', 'downloads', 'sign_ins']),
})
export type Undelivered = z.infer<typeof undelivered>

/**
 * Whether the tax is in the prices: Stripe works it out, and the author has not said so; Link does; consumers in the EU are
 * sold to, and the author has not said so; or it is added to prices in the EU.
 */
export const taxQuestion = z.enum(['unsaid', 'unsaid_for_link', 'unsaid_in_eu', 'added_in_eu'])
export type TaxQuestion = z.infer<typeof taxQuestion>

/** The law of the European Union asks for these beside a book on paper, where it is sent there for money. */
export const euPaperLack = z.enum(['notice', 'maker', 'delivery_time'])
export type EuPaperLack = z.infer<typeof euPaperLack>

export const today = z.object({
  /** The day in the shop's time zone. */
  day: z.iso.date(),
  /** Set for an address of this computer or network, or one without https. */
  local_site: verdict.nullable(),
  /** Nothing that is for sale has a price. */
  is_given_away: z.boolean(),
  sales,
  /** The average of this weekday in the eight weeks before; null until the first order is four weeks old. */
  usual: z.object({ sold: z.number(), free: z.number(), revenue: z.number() }).nullable(),
  /** The refund period of an own book whose published page does not mention it, in days. */
  unsaid_refund_days: z.number().int().nullable(),
  tax_question: taxQuestion.nullable(),
  /** The day of the last sale, where the time without one is unusual for this shop and payments are taken. */
  quiet_since: z.iso.date().nullable(),
  /** Purchases that may not have reached their buyers, by what happened in the last seven days; at most ten. */
  undelivered: z.array(undelivered),
  /** Products that lack what their buyers get, now or on a day within a week. */
  unready: z.array(z.object({ product_id: id, name: z.string(), release_on: z.iso.date().nullable() })),
  left_at_old_price: z.array(leftAtOldPrice),
  eu_paper_lacks: z.array(euPaperLack),
  /** Null while there is none. `given_up`: deliveries of the last seven days. */
  webhook: z.object({ state: webhookState, host: z.string(), given_up: z.number().int() }).nullable(),
  /** Places of backups whose last good rehearsal is too long ago. */
  unrehearsed: z.array(z.object({ place: z.string(), check: verdict })),
})
export type Today = z.infer<typeof today>
