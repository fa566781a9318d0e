// Purchases as their buyers see them on the dashboard.
import { z } from 'zod'
import { id, money, optionalText, timestamp, wholeCents, cursor, pageOf, text } from '../fields.ts'
import { discountCode } from './discounts.ts'
import { lettersWords } from '../mail/subscribers.ts'
import { fileFormat, format, release } from '../catalog/products.ts'
import { purchaseStatuses } from './purchase-status.ts'
import { sellers } from './seller.ts'
import { givenCopy, receivedCopy } from '../delivery/gifts.ts'
import { address, country, shipment, shippingCharge } from './shipments.ts'

export const purchaseStatus = z.enum(purchaseStatuses)

export const adjustmentKinds = ['refund', 'refund_failed', 'dispute', 'dispute_won'] as const

// `return`: the parcel has left. `repeat`: a second time for this product. `downloaded`: a file of a bundle, with the consent,
// so that the right covers the paper alone. `other_refund`: of a part, under way. `no_right`: it is a request where no right
// was left.
export const waitingReasons = ['return', 'repeat', 'downloaded', 'other_refund', 'no_right'] as const
export type WaitingReason = (typeof waitingReasons)[number]

export const decisions = ['given', 'refused'] as const

/** `partly`: the author has refunded the paper part of a bundle. `unpaid`: the money did not go back, or came back to the shop. */
const withdrawalStates = ['waiting', 'on_its_way', 'given', 'partly', 'unpaid', 'refused'] as const

/** `request`: a promise that holds once for a product, used before. The author decides. */
export const refundRight = z.enum(['law', 'promise', 'request'])
export type RefundRight = z.infer<typeof refundRight>

/** `is_waived`: by the first download, to which the buyer had agreed; else its time is over. */
export const endedRight = z.object({ at: timestamp, is_waived: z.boolean() })
export type EndedRight = z.infer<typeof endedRight>

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
  /** The part of the amount that went back. */
  refunded: money,
  /** The part of `refunded` that a dispute took. */
  taken_by_bank: money,
  currency: z.string(),
  status: purchaseStatus,
  /** Sells it, as the buyer was told. */
  seller: z.enum(sellers),
  created_at: timestamp,
  is_held: z.boolean(),
  /** The bank has decided for the buyer. */
  is_dispute_lost: z.boolean(),
  /** A payment came that the author has to decide on. */
  has_mismatch: z.boolean(),
  /** The buyer can press the button for it: paid through the shop, within the refund period. */
  is_refundable: z.boolean(),
  /** Null where it is not refundable. */
  refund_right: refundRight.nullable(),
  /** Why the money would wait for the author, where it is asked back now. */
  refund_waits_for: z.enum(waitingReasons).nullable(),
  /** Set where the law's right ended a while ago, and the money could still go back: the author may be asked. */
  ended_right: endedRight.nullable(),
  /** The right of the law covers the paper of a bundle alone, where it is asked back now, or was. */
  refund_is_of_paper: z.boolean(),
  /** The number of another order by which the buyer has the same product, where the money of this one can be asked back. */
  other_order: z.number().int().nullable(),
  /** It cost nothing, is not out yet, and nothing of it has left: its reader may take it back. */
  can_take_back: z.boolean(),
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
  /** The words beside the box of the author's letters, where it was ticked. */
  letters: lettersWords.optional(),
  code: discountCode.optional(),
  /** Who sells, as the buyer was shown; the author where it is missing. Another one is refused. */
  seller: z.enum(sellers).optional(),
})

/** One for each intent to buy: a retry is the same purchase. */
export const idempotencyKey = z
  .string()
  .min(8)
  .max(128)
  .regex(/^[\x21-\x7e]+$/, 'Visible ASCII characters only.')

/** `is_request`: where no right is left, the author is asked. Without it that is refused. */
export const refundRequest = z.strictObject({
  reason: optionalText(1000),
  is_request: z.boolean().default(false),
})

/** False where the author has decided meanwhile. */
export const requestTakenBack = z.object({ is_done: z.boolean() })

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
