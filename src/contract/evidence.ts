// All that speaks for the author when a buyer's bank asks: who bought what, and what became of it.
import { z } from 'zod'
import { auditEntry } from './audit.ts'
import { timestamp } from './fields.ts'
import { address } from './receipts.ts'
import { soldDetail } from './sold.ts'

export const evidence = soldDetail.extend({
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
  /** Null where nothing was to be sent, or nobody has said where. */
  delivery: address
    .extend({
      phone: z.string(),
      carrier: z.string().nullable(),
      tracking_number: z.string().nullable(),
      shipped_at: timestamp.nullable(),
    })
    .nullable(),
  /** What was done to this purchase at the desk, oldest first. */
  deeds: z.array(auditEntry),
})
export type Evidence = z.infer<typeof evidence>
