// A purchase as the lists of the admin area show it.
import { z } from 'zod'
import { id, timestamp } from '#platform/contract/fields.ts'
import { format } from '../../products/contract/products.ts'
import { purchaseStatus } from '../../purchases/contract/purchases.ts'

export const adminOrder = z.object({
  id,
  number: z.number().int(),
  amount: z.number(),
  refunded: z.number(),
  /** ISO code in lower case. */
  currency: z.string(),
  status: purchaseStatus,
  /** Made with a test key: no money was taken. */
  is_test: z.boolean(),
  /** A free copy from the author. */
  is_given: z.boolean(),
  /** The shop's discount code that was used. */
  code: z.string().nullable(),
  created_at: timestamp,
  user_id: id,
  email: z.string(),
  display_name: z.string().nullable(),
  product: z.object({ id, name: z.string(), format }),
})
export type Order = z.infer<typeof adminOrder>
