// Purchases without an account, which a proof in the browser or a link opens.
import { z } from 'zod'
import { id, timestamp, email } from '../fields.ts'
import { shipment } from './shipments.ts'
import { downloadRequest, purchase, purchaseRequest, refundRequest } from './purchases.ts'

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
    refunded: true,
    taken_by_bank: true,
    currency: true,
    status: true,
    created_at: true,
    is_held: true,
    is_dispute_lost: true,
    has_mismatch: true,
    is_going_back: true,
    is_givable: true,
    product: true,
    withdrawal: true,
    refund_right: true,
    refund_waits_for: true,
    refund_is_of_paper: true,
    ended_right: true,
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
    /** What opened it has ended, and only gives the purchase back. */
    is_over: z.boolean(),
    /** Of the links that still open this order, the one that does so longest: in a receipt that was sent, or made on a page. */
    last_link: z.object({ is_in_receipt: z.boolean(), ends_at: timestamp }).nullable(),
  })
export type GuestPurchase = z.infer<typeof guestPurchase>
