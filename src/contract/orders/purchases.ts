// Purchases as their buyers see them: on the dashboard, as receipts, and without an account.
import { z } from 'zod'
import { id, money, optionalText, timestamp, wholeCents, cursor, pageOf, email, text } from '../fields.ts'
import { discountCode } from './discounts.ts'
import { fileFormat, format, release } from '../catalog/products.ts'
import type { Cents } from '../money.ts'
import { givenCopy, receivedCopy } from '../delivery/gifts.ts'
import { address, country, shipment, shippingCharge, storedAddress } from './shipments.ts'

export const purchaseStatuses = [
  'pending',
  'completed',
  'partially_refunded',
  'refunded',
  'canceled',
  'disputed',
] as const
export const purchaseStatus = z.enum(purchaseStatuses)
export type PurchaseStatus = z.infer<typeof purchaseStatus>

export function wasPaid(status: PurchaseStatus): boolean {
  return status !== 'pending' && status !== 'canceled'
}

/** `is_completed` in SQL. */
export function isCompleted(status: PurchaseStatus): boolean {
  return status === 'completed' || status === 'partially_refunded'
}

export function leftOf({ amount, refunded }: { amount: Cents; refunded: Cents }): Cents {
  return amount - refunded
}

export const adjustmentKinds = ['refund', 'refund_failed', 'dispute', 'dispute_won'] as const

// `return`: the parcel has left. `repeat`: a second time for this product. `other_refund`: of a part, under way.
export const waitingReasons = ['return', 'repeat', 'other_refund'] as const
export type WaitingReason = (typeof waitingReasons)[number]

export const decisions = ['given', 'refused'] as const

/** `unpaid`: the money did not go back, or came back to the shop. */
const withdrawalStates = ['waiting', 'on_its_way', 'given', 'unpaid', 'refused'] as const

/** `request`: a promise that holds once for a product, used before. The author decides. */
export const refundRight = z.enum(['law', 'promise', 'request'])
export type RefundRight = z.infer<typeof refundRight>

export const withdrawal = z.object({
  declared_at: timestamp,
  state: z.enum(withdrawalStates),
  waits_for: z.enum(waitingReasons).nullable(),
  refusal: z.string().nullable(),
  right: refundRight,
})
export type Withdrawal = z.infer<typeof withdrawal>

export const refusalRequest = z.strictObject({ sentence: text(1000) })

export const refundProof = z.strictObject({ current_password: z.string().max(200).optional() })

const purchasedFile = z.object({
  product_id: id,
  title: z.string(),
  file_format: fileFormat,
  file_size: z.number().int().nullable(),
  edition: z.number().int(),
  /** The author has to upload it again, and was notified. */
  is_lost: z.boolean(),
})
export type PurchasedFile = z.infer<typeof purchasedFile>

export const purchase = z.object({
  id,
  number: z.number().int(),
  amount: money,
  currency: z.string(),
  status: purchaseStatus,
  created_at: timestamp,
  is_held: z.boolean(),
  /** A payment came that the author has to decide on. */
  has_mismatch: z.boolean(),
  /** The buyer can press the button for it: paid through the shop, within the refund period. */
  is_refundable: z.boolean(),
  /** Null where it is not refundable. */
  refund_right: refundRight.nullable(),
  /** All that is left is on its way back: the purchase gives nothing any more. */
  is_going_back: z.boolean(),
  /** The copy was given to someone else, and whoever opens the gift has the book. */
  given: givenCopy.nullable(),
  is_givable: z.boolean(),
  received: receivedCopy.nullable(),
  withdrawal: withdrawal.nullable(),
  shipment: shipment.nullable(),
  shipping: shippingCharge.nullable(),
  discount_code: z.string().nullable(),
  product: z.object({
    id,
    name: z.string(),
    format,
    is_digital: z.boolean(),
    /** A POST to this address asks for a download. */
    download_url: z.string().nullable(),
    files: z.array(purchasedFile),
    /** Set while it, or a part of it, cannot be downloaded yet. */
    release: release.nullable(),
  }),
})
export type Purchase = z.infer<typeof purchase>

export const purchaseMade = purchase.extend({ checkout_url: z.string().nullable() })
export type PurchaseMade = z.infer<typeof purchaseMade>

export const ownPurchasesRequest = z.object({
  after: cursor.optional(),
  gives: id.optional(),
})
export type OwnPurchasesRequest = z.infer<typeof ownPurchasesRequest>

export const ownPurchases = pageOf(purchase).extend({
  totals: z.object({ purchases: z.number().int(), digital: z.number().int() }),
})
export type OwnPurchases = z.infer<typeof ownPurchases>

export const purchaseRequest = z.strictObject({
  product_id: id,
  address: address.optional(),
  /** Needed where the price of shipping differs between countries and no address says it. */
  country: country.optional(),
  /** The price that the buyer was shown: a higher one is refused. */
  shipping: wholeCents.optional(),
  consent: z.string().max(1000).optional(),
  code: discountCode.optional(),
})

/** One for each intent to buy: a retry is the same purchase. */
export const idempotencyKey = z
  .string()
  .min(8)
  .max(128)
  .regex(/^[\x21-\x7e]+$/, 'Visible ASCII characters only.')

export const refundRequest = z.strictObject({ reason: optionalText(1000) })

export const adminRefundRequest = z.strictObject({
  amount: wholeCents.positive().optional(),
  /** The refunds that the author saw: sent twice, a request is refunded once. */
  refunded: wholeCents.optional(),
  reason: optionalText(1000),
})
export type AdminRefundRequest = z.infer<typeof adminRefundRequest>

export const downloadRequest = z.strictObject({
  file_format: fileFormat.optional(),
  product_id: id.optional(),
  /** The newest without it. */
  edition: z.int().min(1).max(1_000_000).optional(),
})

export const download = z.object({
  /** Works for `expires_in` seconds and without further headers. */
  url: z.string(),
  file_name: z.string(),
  file_size: z.number().int(),
  expires_in: z.number().int(),
})
export type Download = z.infer<typeof download>

const decimal = z.number()

const adjustment = z.object({
  id,
  kind: z.enum(adjustmentKinds),
  amount: decimal,
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
  price: decimal,
  discount: decimal,
  shipping: decimal,
  shipping_country: z.string().nullable(),
  tax: decimal,
  is_tax_included: z.boolean(),
  total: decimal,
  adjustments: z.array(adjustment),
  kept: decimal,
  refund_days: z.number().int(),
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

/** 32 random bytes in base64url. */
export const accessToken = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'This is no such token.')

/** A buyer comes back from Stripe with this id of a Checkout Session. */
export const checkoutId = z.string().regex(/^cs_\w{8,200}$/, 'This is no such token.')

/**
 * The browser makes `proof` and keeps it before it asks: a request whose response was lost is repeated with it and
 * leads to the same checkout, and nobody else has it. So it takes the place of an Idempotency-Key.
 */
export const guestPurchaseRequest = purchaseRequest
  .omit({ address: true })
  .extend({ email, proof: accessToken })
export type GuestPurchaseRequest = z.infer<typeof guestPurchaseRequest>

/** `checkout_url` is null where the purchase of this proof is paid, or its payment under way. */
export const guestPurchaseMade = z.object({ id, checkout_url: z.string().nullable() })
export type GuestPurchaseMade = z.infer<typeof guestPurchaseMade>

const orderAccess = z.union([accessToken, checkoutId])

export const accessRequest = z.strictObject({ proof: orderAccess })
/** The browser makes the new proof and keeps it before it asks. */
export const returnRequest = z.strictObject({ proof: checkoutId, new_proof: accessToken })
/** `id` is the browser's, so that a repeated request moves the order once. */
export const addressCorrection = accessRequest.extend({ id, email })
export const guestRefundRequest = refundRequest.extend({ proof: orderAccess })
export const guestDownloadRequest = downloadRequest.extend({ proof: orderAccess })

export const accessLink = z.object({ url: z.string(), ends_at: timestamp })
export type AccessLink = z.infer<typeof accessLink>

/** No address and no account: the link of a receipt may be passed on. */
export const guestPurchase = purchase
  .pick({
    id: true,
    number: true,
    amount: true,
    currency: true,
    status: true,
    created_at: true,
    is_held: true,
    has_mismatch: true,
    is_going_back: true,
    is_givable: true,
    product: true,
    withdrawal: true,
    refund_right: true,
  })
  .extend({
    is_withdrawn: z.boolean(),
    is_given_away: z.boolean(),
    parcel: shipment.pick({ carrier: true, tracking_number: true, shipped_at: true }).nullable(),
    /** Set for the browser that bought only, and until the author moves the order. */
    own: z
      .object({
        receipt_to: z.string(),
        is_correctable: z.boolean(),
        address: shipment.shape.address,
      })
      .nullable(),
    /** Null until the payment. */
    access_ends_at: timestamp.nullable(),
  })
export type GuestPurchase = z.infer<typeof guestPurchase>
