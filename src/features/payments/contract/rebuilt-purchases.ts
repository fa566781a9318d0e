// Purchases that were made again after a restore, as the admin area lists them.
import { z } from 'zod'
import { purchase } from '../../purchases/contract/purchases.ts'

export const maxRebuiltShown = 100

export const rebuiltPurchases = z.object({
  /** The provider's list of checkouts is not read to its end yet. */
  is_searching: z.boolean(),
  count: z.number(),
  /** The newest, at most `maxRebuiltShown`. */
  items: z.array(
    purchase
      .pick({ id: true, number: true, amount: true, currency: true, status: true, created_at: true })
      .extend({
        email: z.string(),
        product_name: z.string(),
      }),
  ),
})
export type RebuiltPurchases = z.output<typeof rebuiltPurchases>
