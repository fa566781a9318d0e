// What was paid for a purchase, and what of it went back, as its buyer keeps it.
import { z } from 'zod'
import { id, timestamp } from '#platform/contract/fields.ts'
import { format } from '../../products/contract/products.ts'
import { adjustmentKinds, purchaseStatus, refundTerms } from './purchases.ts'
import { storedAddress } from '../../shipping/contract/shipments.ts'

const money = z.number()

const adjustment = z.object({
  id,
  kind: z.enum(adjustmentKinds),
  /** Below zero when it left. */
  amount: money,
  created_at: timestamp,
})

/** What the buyer of digital content agreed to, as it was shown. */
export const consent = z.object({ text: z.string(), given_at: timestamp })
export type Consent = z.infer<typeof consent>

/**
 * `price` less `discount` and with `shipping` is `total`, where the tax is part of the prices; else with `tax` added to
 * it. `total` less what went back is `kept`.
 */
export const receipt = z.object({
  id,
  number: z.number().int(),
  status: purchaseStatus,
  created_at: timestamp,
  buyer: z.object({ email: z.string(), display_name: z.string().nullable() }),
  product: z.object({ name: z.string(), format, is_digital: z.boolean() }),
  /** ISO code in lower case. */
  currency: z.string(),
  /** As the page said it. */
  price: money,
  discount: money,
  shipping: money,
  /** The country that the price of shipping was for; null where it was the same for all. */
  shipping_country: z.string().nullable(),
  tax: money,
  is_tax_included: z.boolean(),
  total: money,
  adjustments: z.array(adjustment),
  kept: money,
  /** The refund period that was promised with the purchase; 0 for none. */
  refund_days: z.number().int(),
  refund_terms: z.enum(refundTerms),
  consent: consent.nullable(),
  /** Some of it goes by post. */
  ships: z.boolean(),
  shipping_address: storedAddress.nullable(),
  /** Made by the payment provider, where it makes any. */
  invoice_url: z.string().nullable(),
  /** Paid with a test key: no real money. */
  is_test: z.boolean(),
})
export type Receipt = z.infer<typeof receipt>
