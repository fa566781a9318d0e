import { z } from 'zod'

const count = z.number().int()

export const oldPriceCheckouts = z.object({ count })

export const endedAtOldPrice = z.object({
  ended: count,
  paid: count,
  kept: count,
  failed: count,
  left: count,
})
export type EndedAtOldPrice = z.infer<typeof endedAtOldPrice>
