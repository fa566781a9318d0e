// All that speaks for the author when a buyer's bank asks: who bought what, and what became of it.
import { z } from 'zod'
import { auditEntry } from '../../audit/contract/audit.ts'
import { timestamp } from '#platform/contract/fields.ts'
import { refundTerms } from '../../purchases/contract/purchases.ts'
import { consent } from '../../purchases/contract/receipts.ts'
import { orderDetail } from './orders.ts'

export const evidence = orderDetail.extend({
  /** The refund period that was promised with the purchase; 0 for none. */
  refund_days: z.number().int(),
  refund_terms: z.enum(refundTerms),
  /** To instant delivery; null where the shop did not ask. */
  consent: consent.nullable(),
  account: z.object({
    created_at: timestamp,
    email_confirmed_at: timestamp.nullable(),
    last_sign_in_at: timestamp.nullable(),
  }),
  /** Null for a purchase that no provider was paid for. */
  payment: z
    .object({
      session_id: z.string().nullable(),
      payment_intent: z.string().nullable(),
      tax: z.number().nullable(),
      discount: z.number().nullable(),
      is_live: z.boolean(),
      stripe_url: z.string().nullable(),
    })
    .nullable(),
  /** What was done to this purchase, in the admin area or by others, oldest first. */
  events: z.array(auditEntry),
})
export type Evidence = z.infer<typeof evidence>
