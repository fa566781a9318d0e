import { z } from 'zod'

const count = z.number().int()

export const oldPriceCheckouts = z.object({ count })

/** Of one call, which ends at most one batch. */
export const endedAtOldPrice = z.object({
  ended: count,
  paid: count,
  /** Waits for the buyer's bank, or for the author. */
  kept: count,
  failed: count,
  left: count,
})
export type EndedAtOldPrice = z.infer<typeof endedAtOldPrice>
