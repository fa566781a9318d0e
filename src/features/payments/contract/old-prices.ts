// Checkouts that were opened before the price of their product was changed, and can still be paid.
import { z } from 'zod'

const count = z.number().int()

export const oldPriceCheckouts = z.object({ count })

/** Of one call, which ends no more than a batch. */
export const endedAtOldPrice = z.object({
  ended: count,
  /** Paid at the old price in that moment: they stay paid. */
  paid: count,
  /** Confirmed by the buyer, and the bank has not paid yet; or held for the author. */
  kept: count,
  /** Stripe could not be asked. */
  failed: count,
  /** That can still be paid at the old price. */
  left: count,
})
export type EndedAtOldPrice = z.infer<typeof endedAtOldPrice>
