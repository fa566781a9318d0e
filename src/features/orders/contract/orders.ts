// Purchases as the admin area lists and shows them.
import { z } from 'zod'
import { id, searchTerm, timestamp, day } from '#platform/contract/fields.ts'
import { cursor, pageOf } from '#platform/contract/paging.ts'
import { format } from '../../products/contract/products.ts'
import { adjustmentKinds, purchaseStatus } from '../../purchases/contract/purchases.ts'
import { adminOrder } from './admin-order.ts'
import { shipment, shippingCharge } from '../../shipping/contract/shipments.ts'

export const orderListRequest = z.object({
  /** Part of the buyer's name or address, of the product's name, the order number, or the beginning of the purchase's id. */
  q: searchTerm.optional(),
  status: purchaseStatus.optional(),
  format: format.optional(),
  /** The buyer. */
  user_id: id.optional(),
  from: day.optional(),
  to: day.optional(),
  after: cursor.optional(),
})
export type OrderListRequest = z.infer<typeof orderListRequest>

/** Newest first. */
export const orderList = pageOf(adminOrder)

export const orderDetail = adminOrder.extend({
  /** Taken off by a discount code, or by a promotion code at the payment provider; null without one. */
  discount: z.number().nullable(),
  /** Part of the amount. */
  tax: z.number().nullable(),
  /** What sending it cost, part of the amount; null where nothing is sent, or all countries were free. */
  shipping: shippingCharge.nullable(),
  /** The newest dispute or inquiry of the buyer's bank. */
  dispute: z
    .object({
      opened_at: timestamp,
      /** Stripe's word for its state: docs.stripe.com/api/disputes/object. */
      status: z.string(),
      /** Null when no response is asked for. */
      answer_by: timestamp.nullable(),
      stripe_url: z.string().nullable(),
    })
    .nullable(),
  /** A payment that the author has dismissed: nothing completes it by itself. */
  dismissed: z
    .object({
      at: timestamp,
      /** Why it was held. */
      reason: z.string(),
      /** In its own currency; null where no payment was seen. */
      paid: z.object({ total: z.number(), currency: z.string() }).nullable(),
      stripe_url: z.string().nullable(),
    })
    .nullable(),
  /** A refund was asked for, and the provider has not answered yet. */
  is_going_back: z.boolean(),
  /** The provider was paid, so a refund moves money; else it is only recorded, and the author sends the money. */
  is_by_provider: z.boolean(),
  /** Null where nothing is shipped. */
  shipment: shipment.nullable(),
  mails: z.array(
    z.object({
      id,
      kind: z.string(),
      recipient: z.string(),
      subject: z.string(),
      status: z.enum(['sent', 'kept', 'failed']),
      attempts: z.number().int(),
      error: z.string().nullable(),
      created_at: timestamp,
    }),
  ),
  /** Links that were used: when, from where, with what. */
  downloads: z.array(
    z.object({
      id,
      file_name: z.string(),
      started_at: timestamp,
      ip: z.string().nullable(),
      user_agent: z.string().nullable(),
    }),
  ),
  adjustments: z.array(
    z.object({
      id,
      kind: z.enum(adjustmentKinds),
      amount: z.number(),
      note: z.string(),
      created_at: timestamp,
    }),
  ),
})
export type OrderDetail = z.infer<typeof orderDetail>
