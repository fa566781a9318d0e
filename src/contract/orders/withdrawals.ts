import { z } from 'zod'
import { text, timestamp } from '../fields.ts'

// `return`: the parcel has left. `repeat`: a second time for this product. `other_refund`: of a part, under way.
export const waitingReasons = ['return', 'repeat', 'other_refund'] as const
export type WaitingReason = (typeof waitingReasons)[number]

export const decisions = ['given', 'refused'] as const

/** `unpaid`: the money did not go back, or came back to the shop. */
const withdrawalStates = ['waiting', 'on_its_way', 'given', 'unpaid', 'refused'] as const

/** `request`: a promise that holds once for a product, used before. The author decides. */
export const refundRight = z.enum(['law', 'promise', 'request'])
export type RefundRight = z.infer<typeof refundRight>

export const withdrawal = z.object({
  declared_at: timestamp,
  state: z.enum(withdrawalStates),
  waits_for: z.enum(waitingReasons).nullable(),
  refusal: z.string().nullable(),
  right: refundRight,
})
export type Withdrawal = z.infer<typeof withdrawal>

export const refusalRequest = z.strictObject({ sentence: text(1000) })

export const refundProof = z.strictObject({ current_password: z.string().max(200).optional() })
