import { z } from 'zod'
import { purchase } from '../orders/purchases.ts'

export const maxRebuiltShown = 100

export const rebuiltPurchases = z.object({
  is_searching: z.boolean(),
  count: z.number(),
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
