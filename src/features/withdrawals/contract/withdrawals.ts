// A buyer's declaration that they want their money back, and what becomes of it.
import { z } from 'zod'
import { text, timestamp } from '#platform/contract/fields.ts'

/**
 * Why the money waits for the author. `return`: the parcel has left. `repeat`: the same buyer had the money for the same
 * product back before. `other_refund`: a refund of a part was under way.
 */
export const waitingReasons = ['return', 'repeat', 'other_refund'] as const
export type WaitingReason = (typeof waitingReasons)[number]

export const decisions = ['given', 'refused'] as const

/** What the buyer is shown of it. `unpaid`: the money was to go back, and did not, or came back to the shop. */
const withdrawalStates = ['waiting', 'on_its_way', 'given', 'unpaid', 'refused'] as const

export const withdrawal = z.object({
  declared_at: timestamp,
  state: z.enum(withdrawalStates),
  waits_for: z.enum(waitingReasons).nullable(),
  /** The author's sentence, where it was refused. */
  refusal: z.string().nullable(),
})
export type Withdrawal = z.infer<typeof withdrawal>

/** What a refund is bound by; null where the author may refuse it. */
export const bindings = ['promise', 'law'] as const
export type Binding = (typeof bindings)[number]

export const refusalRequest = z.strictObject({ sentence: text(1000) })

/** The own password, where the last sign-in is too long ago. */
export const givingBack = z.strictObject({ current_password: z.string().max(200).optional() })
