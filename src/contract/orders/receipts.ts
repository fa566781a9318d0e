// Receipts of purchases.
import { z } from 'zod'
import { day, email, id, timestamp } from '../fields.ts'
import { format, release } from '../catalog/products.ts'
import { storedAddress } from './shipments.ts'
import { adjustmentKinds, purchaseStatus, refundRight } from './purchases.ts'
import { sellers } from './seller.ts'

const decimal = z.number()

const adjustment = z.object({
  id,
  kind: z.enum(adjustmentKinds),
  amount: decimal,
  created_at: timestamp,
})

export const consent = z.object({ text: z.string(), given_at: timestamp })
export type Consent = z.infer<typeof consent>

export const presented = z.object({ amount: decimal, currency: z.string() })

/** Each is empty while the author has not filled it in. */
const seller = z.object({ name: z.string(), address: z.string(), email: z.string() })
export type SellerDetails = z.infer<typeof seller>

// `price` - `discount` + `shipping` is `total`, plus `tax` where it is not included.
export const receipt = z.object({
  id,
  number: z.number().int(),
  status: purchaseStatus,
  created_at: timestamp,
  /** The shop's, in which the receipt names its days. */
  time_zone: z.string(),
  buyer: z.object({ email: z.string(), display_name: z.string().nullable() }),
  seller,
  product: z.object({ name: z.string(), format, is_digital: z.boolean(), release: release.nullable() }),
  currency: z.string(),
  price: decimal,
  discount: decimal,
  shipping: decimal,
  shipping_country: z.string().nullable(),
  tax: decimal,
  is_tax_included: z.boolean(),
  total: decimal,
  adjustments: z.array(adjustment),
  kept: decimal,
  sold_by: z.enum(sellers),
  /** The buyer paid it, in another currency; null where it is the shop's. */
  presented: presented.nullable(),
  refund_days: z.number().int(),
  /** The day of release, where the days of the promise begin with it; null where they begin with the purchase. */
  promised_from: day.nullable(),
  consent: consent.nullable(),
  ships: z.boolean(),
  shipping_address: storedAddress.nullable(),
  /** The right by which it can be given back now. */
  refund_right: refundRight.nullable(),
  invoice_url: z.string().nullable(),
  /** A test order that is no longer in the sums. */
  is_test: z.boolean(),
})
export type Receipt = z.infer<typeof receipt>

/** `buyer` is null by a link that was not mailed to the buyer, and by the checkout's id. */
export const guestReceipt = receipt.extend({ buyer: receipt.shape.buyer.nullable() })
export type GuestReceipt = z.infer<typeof guestReceipt>

/** Asks for those of the newest orders under an address. */
export const receiptsRequest = z.strictObject({ email })
