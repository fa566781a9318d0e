import { Problem, platformProblem } from '#platform/problem.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import { widerNetworks } from '#platform/http/client-ip.ts'
import { consumeLimit } from '#platform/http/rate-limits.ts'
import type { GuestPurchase, GuestPurchaseRequest } from '#contract/orders/purchases.ts'
import {
  hasGuestCheckout,
  findOwnOrder,
  findAccess,
  hashOf,
  type PurchaseAccess,
  type Guest,
} from '#domains/orders/guest-orders.ts'
import { getPurchase } from '#domains/orders/purchases.ts'
import { checkOut } from './checkout.ts'
import { findBuyer, declareWithdrawal } from './withdrawals.ts'
import { settlePurchase } from './settle.ts'
import type { BookShop } from '#domains/book/shop.ts'

/**
 * Only checkouts are opened, and no mail is sent before a payment: the limits are against filling the shop with orders.
 * Each counts one address or one network: strangers could spend a limit for the whole shop, and nobody could buy.
 */
const perAddress = { limit: 30, windowSeconds: 3600 }

/** Asks nothing about accounts: the response is the same for an address that has one, and takes the same time. */
export async function checkOutGuest(
  services: BookShop,
  guest: Pick<Guest, 'network' | 'proof_hash'>,
  { email, ...wanted }: Omit<GuestPurchaseRequest, 'proof'>,
) {
  const { is_own } = await services.book.get()
  const provider = services.payments.current()
  if (!provider || !hasGuestCheckout(services, is_own)) throw orderProblem('guest_checkout.not_offered')
  await takeAddressHit(services, email, guest.network)
  const intent = { ...wanted, key: undefined }
  return checkOut({ ...services, provider }, { id: null, email, ...guest }, intent).catch(
    (error: unknown) => {
      const isFree = error instanceof Problem && error.code === 'guest_checkout.nothing_to_pay'
      throw isFree && services.mail.isKept() ? orderProblem('guest_checkout.address_unproven') : error
    },
  )
}

async function takeAddressHit({ db, config }: BookShop, email: string, network: string) {
  if (!config.hasRateLimits) return
  for (const [wider, times] of widerNetworks(network)) {
    const address = hashOf(`${email} ${wider}`).toString('base64url')
    const limit = { ...perAddress, limit: perAddress.limit * times }
    const { allowed, retryAfter } = await consumeLimit(db, `guest-purchases:email:${address}`, limit)
    if (!allowed) throw platformProblem('request.rate_limited', { retryAfter })
  }
}

/** Where Stripe cannot be asked now, the purchase as the shop knows it: its page asks again. */
export async function settleGuestPurchase(
  services: BookShop,
  access: PurchaseAccess,
): Promise<GuestPurchase> {
  await findAccess(services, access)
  await settlePurchase(services, access.purchase_id).catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error
  })
  // Asked again: the payment has set the end.
  const { expires_at, is_over } = await findAccess(services, access)
  const purchase = await getPurchase(services.db, access.purchase_id)
  if (is_over && !purchase.refund_right && !purchase.withdrawal)
    throw orderProblem('guest_checkout.access_ended')
  const { id, number, amount, currency, status, created_at, is_held, has_misfit, is_going_back } = purchase
  const product = is_over ? { ...purchase.product, download_url: null } : purchase.product
  const { shipment, withdrawal, refund_right, given, is_givable } = purchase
  return {
    id,
    number,
    amount,
    currency,
    status,
    created_at,
    is_held,
    has_misfit,
    is_going_back,
    is_givable: is_givable && !is_over,
    is_given_away: given !== null,
    product,
    is_withdrawn: withdrawal !== null && withdrawal.state !== 'refused',
    withdrawal,
    refund_right,
    parcel: shipment && {
      carrier: shipment.carrier,
      tracking_number: shipment.tracking_number,
      shipped_at: shipment.shipped_at,
    },
    own: (!is_over && (await findOwnOrder(services.db, access))) || null,
    access_ends_at: expires_at?.toISOString() ?? null,
  }
}

/** With the link of the receipt or in the browser that bought, for as long as a right or a promise lasts. */
export async function withdrawAsGuest(
  services: BookShop,
  access: PurchaseAccess,
  { reason, ip }: { reason: string; ip: string | null },
): Promise<GuestPurchase> {
  await findAccess(services, access)
  const { purchase_id } = access
  const buyer = await findBuyer(services, purchase_id)
  if (!buyer) throw orderProblem('purchases.not_refundable')
  const { user_id, email } = buyer
  await declareWithdrawal(services, { id: user_id, email, ip }, { purchase_id, user_id, reason })
  return settleGuestPurchase(services, access)
}
