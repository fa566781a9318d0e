// Orders and parcels, as the admin area shows them.
import { purchaseMove } from '../readers/moves.ts'
import { z } from 'zod'
import { givenCopy } from '../delivery/gifts.ts'
import {
  id,
  searchTerm,
  timestamp,
  day,
  cursor,
  neighbors,
  pageOf,
  optionalLine,
  boundedCount,
} from '../fields.ts'
import { format } from '../catalog/products.ts'
import type { Format } from '../catalog/formats.ts'
import { adjustmentKinds, decisions, purchaseStatus, refundRight, waitingReasons } from './purchases.ts'
import { consent, presented } from './receipts.ts'
import { sellers } from './seller.ts'
import { shipment, shippingCharge } from './shipments.ts'
import { auditEntry } from '../overview/audit.ts'

export const adminOrder = z.object({
  id,
  number: z.number().int(),
  amount: z.number(),
  refunded: z.number(),
  currency: z.string(),
  status: purchaseStatus,
  is_test: z.boolean(),
  /** True for a copy that the author gave away. */
  is_given: z.boolean(),
  /** A copy that another buyer paid for and gave away. */
  is_received: z.boolean(),
  code: z.string().nullable(),
  /** The right by which its buyer wants the money back, while that waits for the author. */
  open_withdrawal: refundRight.nullable(),
  created_at: timestamp,
  /** The day on which all of it is out, while that is to come. */
  release_on: day.nullable(),
  /** Null until the payment where the buyer gave an address only. */
  user_id: id.nullable(),
  email: z.string(),
  display_name: z.string().nullable(),
  /** `is_one_of_several`: another product has this format, so that only the name tells them apart. */
  product: z.object({ id, name: z.string(), format, is_one_of_several: z.boolean() }),
})
export type Order = z.infer<typeof adminOrder>

export const orderListRequest = z.object({
  q: searchTerm.optional(),
  status: purchaseStatus.optional(),
  format: format.optional(),
  user_id: id.optional(),
  from: day.optional(),
  to: day.optional(),
  after: cursor.optional(),
})
export type OrderListRequest = z.infer<typeof orderListRequest>

/** `earned` is null where there are more orders than were counted, or several currencies. */
const orderSums = boundedCount.extend({ earned: z.number().nullable() })

export const orderList = pageOf(adminOrder).extend({ shown: orderSums })
export type OrderList = z.infer<typeof orderList>

/** `release_on`: the day on which the paper in it is out, while that is to come. */
export const parcel = shipment.extend({
  release_on: day.nullable(),
  /** The order is paid, and neither withdrawn nor ended: also where the parcel has left. */
  is_owed: z.boolean(),
})
export type Parcel = z.infer<typeof parcel>

const orderLink = z.object({ id, number: z.number().int() })

export const orderDetail = adminOrder.extend({
  /** Bought with an address only: a link opens it without an account. */
  is_guest: z.boolean(),
  /** Links that open the purchase without an account. */
  open_links: z.number().int(),
  /** The buyer’s account was erased, and the name is kept for the tax office only. */
  is_buyer_locked: z.boolean(),
  discount: z.number().nullable(),
  tax: z.number().nullable(),
  sold_by: z.enum(sellers),
  /** What is left of the amount, as sums count it. */
  kept: z.number(),
  /** The part of `refunded` that a dispute took. */
  taken_by_bank: z.number(),
  /** Tax that Link owes of what is kept; null where the author sold. */
  link_tax: z.number().nullable(),
  presented: presented.nullable(),
  shipping: shippingCharge.nullable(),
  dispute: z
    .object({
      opened_at: timestamp,
      /** A status of docs.stripe.com/api/disputes/object. */
      status: z.string(),
      answer_by: timestamp.nullable(),
      /** When the shop heard that the bank decided for the buyer; null where the log has no record of it. */
      lost_at: timestamp.nullable(),
      stripe_url: z.string().nullable(),
    })
    .nullable(),
  dismissed: z
    .object({
      at: timestamp,
      reason: z.string(),
      paid: z.object({ total: z.number(), currency: z.string() }).nullable(),
      stripe_url: z.string().nullable(),
    })
    .nullable(),
  withdrawal: z
    .object({
      declared_at: timestamp,
      reason: z.string(),
      right: refundRight,
      waits_for: z.enum(waitingReasons).nullable(),
      decision: z.enum(decisions).nullable(),
      refusal: z.string().nullable(),
    })
    .nullable(),
  /** It cost nothing, and nothing of it has left: the author may take it back. */
  can_take_back: z.boolean(),
  /** The provider has not confirmed the refund yet. */
  is_going_back: z.boolean(),
  /** False where no provider was paid: a refund is only recorded, and the author sends the money. */
  is_by_provider: z.boolean(),
  shipment: parcel.nullable(),
  mails: z.array(
    z.object({
      id,
      kind: z.string(),
      recipient: z.string(),
      subject: z.string(),
      status: z.enum(['sent', 'unsent', 'failed']),
      attempts: z.number().int(),
      error: z.string().nullable(),
      created_at: timestamp,
      /** Null where the mail server has not taken it. */
      sent_at: timestamp.nullable(),
    }),
  ),
  neighbors,
  moves: z.array(purchaseMove),
  /** The recipient to whom the buyer gave the copy, and the recipient's order once it was opened. */
  given: givenCopy.extend({ order: orderLink.nullable() }).nullable(),
  /** The order that this copy was paid with, by another buyer. */
  paid_with: orderLink.nullable(),
  downloads: z.array(
    z.object({
      id,
      file_name: z.string(),
      started_at: timestamp,
      /** Null where it broke off or is under way, and where that is not known. */
      finished_at: timestamp.nullable(),
      /** False where the file is elsewhere. */
      is_counted: z.boolean(),
      ip: z.string().nullable(),
      user_agent: z.string().nullable(),
      /** The name by which it is known: "Chrome on Windows". */
      device: z.string().nullable(),
    }),
  ),
  /** Failed sign-ins of the buyer since the purchase, and the last one that worked. */
  sign_ins: z.object({
    failed: z.number().int(),
    last_failed_at: timestamp.nullable(),
    last_at: timestamp.nullable(),
  }),
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

export const evidence = orderDetail.extend({
  refund_days: z.number().int(),
  consent: consent.nullable(),
  /** Null for a buyer who gave only an email address and has never signed in. */
  account: z
    .object({
      created_at: timestamp,
      email_confirmed_at: timestamp.nullable(),
      last_sign_in_at: timestamp.nullable(),
    })
    .nullable(),
  payment: z
    .object({
      /** The last characters: the whole id opens the order of a guest for a day. */
      session_id_end: z.string().nullable(),
      payment_intent: z.string().nullable(),
      tax: z.number().nullable(),
      discount: z.number().nullable(),
      is_live: z.boolean(),
      stripe_url: z.string().nullable(),
    })
    .nullable(),
  events: z.array(auditEntry),
})
export type Evidence = z.infer<typeof evidence>

const adminShipment = parcel.extend({
  purchase_id: id,
  number: z.number().int(),
  format,
  product_name: z.string(),
  contents: z.array(z.object({ product_id: id, name: z.string(), format })),
  email: z.string(),
  display_name: z.string().nullable(),
  purchase_status: purchaseStatus,
  is_test: z.boolean(),
  created_at: timestamp,
})
export type AdminShipment = z.infer<typeof adminShipment>

export const shippedFormats = ['paperback', 'hardcover', 'bundle'] as const satisfies readonly Format[]

/** `to_ship`: what is out. `pre_orders`: parcels that may leave, and need not before their day. */
export const shipmentViews = ['to_ship', 'pre_orders', 'shipped'] as const
export type ShipmentView = (typeof shipmentViews)[number]

export const shipmentListRequest = z.object({
  view: z.enum(shipmentViews).default('to_ship'),
  format: z.enum(shippedFormats).optional(),
  after: cursor.optional(),
})
export type ShipmentListRequest = z.infer<typeof shipmentListRequest>

/** `release_on`: the first of their days; null without any, and where there are more than were counted. */
const preOrders = boundedCount.extend({ release_on: day.nullable() })

export const shipmentList = pageOf(adminShipment).extend({ to_ship: boundedCount, pre_orders: preOrders })
export type ShipmentList = z.infer<typeof shipmentList>

const maxAtOnce = 50

export const slipsRequest = z.object({
  ids: z
    .string()
    .transform((value) => value.split(','))
    .pipe(z.array(id).min(1).max(maxAtOnce)),
})

export const slips = z.array(adminShipment)

const carrier = optionalLine(60)
const tracking_number = optionalLine(60)

export const tracking = z.strictObject({ carrier, tracking_number })
export type Tracking = z.infer<typeof tracking>

export const shippedRequest = z.strictObject({
  parcels: z
    .array(
      z.strictObject({
        purchase_id: id,
        carrier,
        tracking_number,
        /** The author saw this version: a parcel with another address by now is not marked as shipped. */
        updated_at: timestamp.optional(),
      }),
    )
    .min(1)
    .max(maxAtOnce),
  is_told: z.boolean().default(true),
})
export type ShippedRequest = z.infer<typeof shippedRequest>

/** `skipped`: another admin has shipped it, it is not paid for any more, or it has another address by now. */
export const shippedResponse = z.object({ shipped: z.array(id), skipped: z.array(id) })
export type ShippedResponse = z.infer<typeof shippedResponse>
