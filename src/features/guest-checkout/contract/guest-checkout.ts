import { z } from 'zod'
import { email, givenPassword, id, password, timestamp } from '#platform/contract/fields.ts'
import { purchase, purchaseRequest, downloadRequest } from '../../purchases/contract/purchases.ts'
import { shipment } from '../../shipping/contract/shipments.ts'

/** 32 random bytes in base64url. */
const accessToken = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'This is no such token.')

/**
 * The browser makes `proof` and keeps it before it asks: a request whose response was lost is repeated with it and
 * leads to the same checkout, and nobody else has it. So it takes the place of an Idempotency-Key.
 */
export const guestPurchaseRequest = purchaseRequest
  .omit({ address: true })
  .extend({ email, proof: accessToken })
export type GuestPurchaseRequest = z.infer<typeof guestPurchaseRequest>

/** Without a checkout where the purchase of this proof is paid, or its payment under way. */
export const guestPurchaseMade = z.object({ id, checkout_url: z.string().nullable() })
export type GuestPurchaseMade = z.infer<typeof guestPurchaseMade>

export const accessRequest = z.strictObject({ proof: accessToken })
export const guestDownloadRequest = downloadRequest.extend({ proof: accessToken })

export const purchasePasswordRequest = z.strictObject({ proof: accessToken, password })

export const purchasePasswordChosen = z.object({ password: z.literal('chosen') })

/** The browser makes a new `proof`, which opens the purchase in it from then on. */
export const openByPasswordRequest = z.strictObject({ email, password: givenPassword, proof: accessToken })
export const openedByPassword = z.object({ id, product_id: id, access_ends_at: timestamp })

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
    has_misfit: true,
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
    /** Whether one may be chosen for this purchase, or is; null where the account is older, or its address confirmed. */
    password: z.enum(['offered', 'chosen']).nullable(),
    /** Null until the payment. */
    access_ends_at: timestamp.nullable(),
  })
export type GuestPurchase = z.infer<typeof guestPurchase>
