// A purchase as its buyer sees it.
import { z } from 'zod'
import { id, money, optionalText, timestamp, wholeCents } from '#platform/contract/fields.ts'
import { discountCode } from '../../discounts/contract/discounts.ts'
import { fileFormat } from '../../products/contract/file-formats.ts'
import { subtractMoney } from '#platform/contract/money.ts'
import { cursor, pageOf } from '#platform/contract/paging.ts'
import { format } from '../../products/contract/products.ts'
import { withdrawal } from '../../withdrawals/contract/withdrawals.ts'
import { address, country, shipment, shippingCharge } from '../../shipping/contract/shipments.ts'

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

/** Its money came at some time, whatever was given back since. */
export function wasPaid(status: PurchaseStatus): boolean {
  return status !== 'pending' && status !== 'canceled'
}

/** Paid, and not all of it given back or disputed; `is_completed` in SQL. */
export function isCompleted(status: PurchaseStatus): boolean {
  return status === 'completed' || status === 'partially_refunded'
}

/** What of a purchase the shop still has, after refunds and disputes. */
export function leftOf({ amount, refunded }: { amount: number; refunded: number }): number {
  return subtractMoney(amount, refunded)
}

/**
 * What the money-back guarantee of a purchase says beside its days. `once`: not again for a product whose price the same
 * buyer got back before.
 */
export const refundTerms = ['always', 'once'] as const
export type RefundTerms = (typeof refundTerms)[number]

/** Why money left after a purchase, or came back. */
export const adjustmentKinds = ['refund', 'refund_failed', 'dispute', 'dispute_won'] as const

const purchasedFile = z.object({
  /** The product that the file belongs to: this one, or a part of it. */
  product_id: id,
  title: z.string(),
  file_format: fileFormat,
  /** Bytes; null where it is not known. */
  file_size: z.number().int().nullable(),
  /** The author has to upload it again, and was told so. */
  is_lost: z.boolean(),
})
export type PurchasedFile = z.infer<typeof purchasedFile>

export const purchase = z.object({
  id,
  /** The order number that people say, as #1042. */
  number: z.number().int(),
  amount: money,
  /** ISO code in lower case. */
  currency: z.string(),
  status: purchaseStatus,
  created_at: timestamp,
  /** The author looks into its payment, or has dealt with it. */
  is_held: z.boolean(),
  /** A payment came that the author has to decide on; held without it, no payment was found. */
  has_misfit: z.boolean(),
  /** Its buyer may have the money back by a button: paid through the shop, within the refund period. */
  is_refundable: z.boolean(),
  /** All that is left of the money was asked back and is on its way: the purchase gives nothing any more. */
  is_going_back: z.boolean(),
  /** That its buyer wants the money back; null until they say so. While it waits, the purchase gives nothing. */
  withdrawal: withdrawal.nullable(),
  /** Null where nothing is shipped. */
  shipment: shipment.nullable(),
  /** Null where nothing is shipped, or all of the shop's countries were free. */
  shipping: shippingCharge.nullable(),
  /** That it was made with; null without one. */
  discount_code: z.string().nullable(),
  product: z.object({
    id,
    name: z.string(),
    format,
    is_digital: z.boolean(),
    /** Where a download is asked for (POST), or null when the product has no file. */
    download_url: z.string().nullable(),
    /** The main one first, a bundle's own after those of its parts. */
    files: z.array(purchasedFile),
  }),
})
export type Purchase = z.infer<typeof purchase>

/** `checkout_url` leads to where it is paid; null when there is nothing to pay. */
export const purchaseMade = purchase.extend({ checkout_url: z.string().nullable() })
export type PurchaseMade = z.infer<typeof purchaseMade>

export const ownPurchasesRequest = z.object({
  after: cursor.optional(),
  /** A product's id: only purchases that give their buyer this product now, by itself or in a bundle. */
  gives: id.optional(),
})
export type OwnPurchasesRequest = z.infer<typeof ownPurchasesRequest>

/** Newest first. `totals` are of all own purchases, whatever the page holds; canceled ones are not counted. */
export const ownPurchases = pageOf(purchase).extend({
  totals: z.object({ purchases: z.number().int(), digital: z.number().int() }),
})
export type OwnPurchases = z.infer<typeof ownPurchases>

/**
 * The address is for books on paper, where no payment provider asks for it; `consent` is what the buyer of digital content
 * was shown and agreed to, where the shop asks for that.
 */
export const purchaseRequest = z.strictObject({
  product_id: id,
  address: address.optional(),
  /** Where it goes: needed where the price of shipping differs between countries and no address says it. */
  country: country.optional(),
  /** The price of shipping that the buyer was shown: a higher one is refused. Needed where no payment page shows it. */
  shipping: wholeCents.optional(),
  consent: z.string().max(1000).optional(),
  /** A discount code. */
  code: discountCode.optional(),
})

/** Sent by the client, one for each intent to buy: what makes a retry the same purchase. */
export const idempotencyKey = z
  .string()
  .min(8)
  .max(128)
  .regex(/^[\x21-\x7e]+$/, 'Visible ASCII characters only.')

/** The user may say why; nobody has to. */
export const refundRequest = z.strictObject({ reason: optionalText(1000) })

/** By the author: a part, or all that is left. */
export const adminRefundRequest = z.strictObject({
  amount: wholeCents.positive().optional(),
  /** What had gone back before, as the author saw it: sent twice, it is refunded once. */
  refunded: wholeCents.optional(),
  reason: optionalText(1000),
})
export type AdminRefundRequest = z.infer<typeof adminRefundRequest>

/** Of the files that fit, the first in the purchase's list. */
export const downloadRequest = z.strictObject({
  file_format: fileFormat.optional(),
  product_id: id.optional(),
})

export const download = z.object({
  /** Relative to the site; works for `expires_in` seconds and without further headers. */
  url: z.string(),
  file_name: z.string(),
  file_size: z.number().int(),
  expires_in: z.number().int(),
})
export type Download = z.infer<typeof download>
