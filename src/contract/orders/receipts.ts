import { z } from 'zod'
import { id, timestamp } from '../fields.ts'
import { format, release } from '../catalog/products.ts'
import { adjustmentKinds, purchaseStatus, refundTerms } from './purchases.ts'
import { refundRight } from './withdrawals.ts'
import { storedAddress } from './shipments.ts'

const money = z.number()

const adjustment = z.object({
  id,
  kind: z.enum(adjustmentKinds),
  amount: money,
  created_at: timestamp,
})

export const consent = z.object({ text: z.string(), given_at: timestamp })
export type Consent = z.infer<typeof consent>

// `price` - `discount` + `shipping` is `total`, plus `tax` where it is not included.
export const receipt = z.object({
  id,
  number: z.number().int(),
  status: purchaseStatus,
  created_at: timestamp,
  buyer: z.object({ email: z.string(), display_name: z.string().nullable() }),
  product: z.object({ name: z.string(), format, is_digital: z.boolean(), release: release.nullable() }),
  currency: z.string(),
  price: money,
  discount: money,
  shipping: money,
  shipping_country: z.string().nullable(),
  tax: money,
  is_tax_included: z.boolean(),
  total: money,
  adjustments: z.array(adjustment),
  kept: money,
  refund_days: z.number().int(),
  refund_terms: z.enum(refundTerms),
  consent: consent.nullable(),
  ships: z.boolean(),
  shipping_address: storedAddress.nullable(),
  /** By what it can be given back now. */
  refund_right: refundRight.nullable(),
  invoice_url: z.string().nullable(),
  /** A test order that is no longer in the sums. */
  is_test: z.boolean(),
})
export type Receipt = z.infer<typeof receipt>
