// The checkout of a purchase: of a user, and of a guest.
import { sql } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import { findLastLink } from '#domains/orders/order-links.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import { type Intent, findBought, getPurchase } from '#domains/orders/purchases.ts'
import { checkouts } from '#tables/payments.ts'
import type { Payments } from '#platform/stripe/payments.ts'
import { catalogProblem } from '#domains/catalog/shop.ts'
import { findGuestPurchase, lockGuest, saveGuest, type Guest } from '#domains/orders/guest-checkouts.ts'
import { hasGuestCheckout } from '#domains/orders/guest-owners.ts'
import { findOwnOrder } from '#domains/orders/browser-orders.ts'
import { findAccess, type PurchaseAccess } from '#domains/orders/guest-orders.ts'
import { hashOf } from '#platform/mailed-token.ts'
import { findSeller, insertCompleted, readTerms, type Bought, insertPurchase } from '#domains/orders/buy.ts'
import { readShownBoxes, saveTickedBoxes, type ShownBoxes } from '#domains/orders/ticked-boxes.ts'
import { cancelUnopened, settlePurchase } from './settle.ts'
import { firstCheck } from './next-checks.ts'
import { findOrOpen } from './open-checkout.ts'
import { saveRefusedBuyer } from './outages.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { Problem } from '#platform/problem.ts'
import { widerNetworks } from '#platform/http/client-ip.ts'
import { requireLimit } from '#platform/http/rate-limits.ts'
import type { GuestPurchase, GuestPurchaseRequest } from '#contract/orders/guest-purchases.ts'
import { findBuyer, declareWithdrawal, takeRequestBack } from './withdrawals.ts'
import { type ExistingOrder, compareOpen, findByKey, findOfProof, findOpen } from './existing-checkouts.ts'

type Dependencies = CommerceShop & { provider: Payments }
type Buyer = { id: string; email: string } | Guest
type BuyRequest = Omit<Intent, 'user_id'>

/** An open checkout of the same product is resumed, whatever the key: a buyer never has two payable ones. */
export async function checkOut(services: Dependencies, buyer: Buyer, intent: BuyRequest) {
  try {
    return await begin(services, buyer, intent)
  } catch (error) {
    const refused = buyer.id ?? (await findGuestPurchase(services.db, buyer.proof_hash))
    if (refused) await saveRefusedBuyer(services, refused, error)
    throw error
  }
}

async function begin(
  services: Dependencies,
  buyer: Buyer,
  intent: BuyRequest,
): Promise<Bought & { checkout_url: string | null }> {
  const { db } = services
  const shown = await readShownBoxes(services)
  const result = await db.transaction(async (tx) => {
    const order = await findOrMake(tx, services, buyer, { intent, shown })
    if (!('purchase' in order) && (order.isNew || !order.isOwnKey))
      await saveTickedBoxes(tx, { purchase_id: order.id, shown, ticked: intent })
    return order
  })
  if ('purchase' in result) return { ...result, checkout_url: null }
  const { id, isNew } = result
  // Resuming on the dashboard names no country.
  const again = { ...intent, country: intent.country ?? result.charge?.country ?? undefined }
  if (result.isOutdated && !(await endOutdated(services, result))) return begin(services, buyer, again)
  const status = isNew ? 'pending' : await settlePurchase(services, id)
  if (status === 'canceled') {
    if (result.isOwnKey) throw orderProblem('purchases.checkout_ended')
    return begin(services, buyer, again)
  }
  const checkout_url = status === 'pending' ? (await findOrOpen(services, buyer, id)).url : null
  return { purchase: await getPurchase(db, id), isNew, checkout_url }
}

async function endOutdated({ db, provider }: Dependencies, { id, session_id, attempt }: ExistingOrder) {
  if (!session_id) return cancelUnopened(db, { id, attempt })
  await provider.endCheckout(session_id)
  return true
}

type PlacedOrder = ExistingOrder | Bought

/** Serialized for each buyer and product, so that the second of two clicks finds the first. */
async function findOrMake(
  tx: Transaction,
  services: Dependencies,
  buyer: Buyer,
  { intent, shown }: { intent: BuyRequest; shown: ShownBoxes },
): Promise<PlacedOrder> {
  const { provider } = services
  const { product_id } = intent
  const is_live = provider.isLive
  const result = buyer.id === null ? undefined : await findOfUser(tx, { ...intent, user_id: buyer.id })
  if (result) return result
  if (buyer.id === null) await lockGuest(tx, buyer)
  const open =
    buyer.id === null
      ? await findOfProof(tx, { ...buyer, product_id })
      : await findOpen(tx, { user_id: buyer.id, product_id, is_live })
  if (open && (open.status !== 'pending' || open.held_reason !== null))
    return { purchase: await getPurchase(tx, open.id), isNew: false }
  const request = { ...intent, user_id: buyer.id }
  const terms = await readTerms(tx, services, request, { mode: 'paid', open_id: open?.id })
  const { seller = 'author' } = intent
  // A change of the setting leaves a checkout as its buyer has begun it.
  if (seller !== open?.seller && seller !== (await findSeller(tx, services, product_id, terms)))
    throw orderProblem('purchases.seller_changed')
  if (open) return compareOpen(services, open, { ...request, seller, email: buyer.email }, terms.offer)
  const is_test = !is_live
  if (buyer.id !== null && terms.offer?.total === 0n)
    return insertCompleted(tx, services, { ...intent, user_id: buyer.id }, { shown, terms, is_test })
  const id = await insertPurchase(tx, services, request, { status: 'pending', terms, is_test, seller })
  if (!id) throw catalogProblem('products.not_found')
  if (buyer.id === null) await saveGuest(tx, buyer, { purchase_id: id, now: services.clock() })
  await tx.insert(checkouts).values({ purchase_id: id, is_live, next_check_at: firstCheck(services) })
  return { id, session_id: null, attempt: 1, isNew: true, isOwnKey: true, isOutdated: false, charge: null }
}

async function findOfUser(tx: Transaction, intent: Intent): Promise<PlacedOrder | undefined> {
  const key = `checkout ${intent.user_id} ${intent.product_id}`
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
  const purchase = await findByKey(tx, intent)
  if (purchase) return purchase
  const bought = await findBought(tx, intent)
  return bought && { purchase: bought, isNew: false }
}

/**
 * The limits are against filling the shop with orders: only checkouts are opened, and no mail is sent before a payment. Each
 * counts one address or one network: strangers could spend a limit for the whole shop, and nobody could buy.
 */
const perAddress = { limit: 30, windowSeconds: 3600 }

/** Asks nothing about accounts: the response is the same for an address that has one, and takes the same time. */
export async function checkOutGuest(
  services: CommerceShop,
  guest: Pick<Guest, 'network' | 'proof_hash'>,
  { email, ...request }: Omit<GuestPurchaseRequest, 'proof'>,
) {
  const { is_own } = await services.book.get()
  const provider = services.payments.current()
  if (!provider || !hasGuestCheckout(services, is_own)) throw orderProblem('guest_checkout.not_offered')
  await takeAddressHit(services, email, guest.network)
  const intent = { ...request, key: undefined }
  return checkOut({ ...services, provider }, { id: null, email, ...guest }, intent).catch(
    (error: unknown) => {
      const isFree = error instanceof Problem && error.code === 'guest_checkout.nothing_to_pay'
      throw isFree && !services.mail.sendsMail() ? orderProblem('guest_checkout.address_unproven') : error
    },
  )
}

async function takeAddressHit(services: CommerceShop, email: string, network: string) {
  for (const [wider, times] of widerNetworks(network)) {
    const address = hashOf(`${email} ${wider}`).toString('base64url')
    const limit = { ...perAddress, limit: perAddress.limit * times }
    await requireLimit(services, `guest-purchases:email:${address}`, limit)
  }
}

/** Returns the purchase as the shop knows it where Stripe cannot be asked now: its page asks again. */
export async function settleGuestPurchase(
  services: CommerceShop,
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
  const { id, number, amount, refunded, currency, status, created_at, is_held } = purchase
  const { taken_by_bank, is_dispute_lost, has_mismatch, is_going_back } = purchase
  const product = is_over ? { ...purchase.product, download_url: null } : purchase.product
  const { withdrawal, refund_right, refund_waits_for, refund_is_of_paper, given, is_givable } = purchase
  // Of a bundle whose paper part was refunded, only the file is left.
  const isPartly = withdrawal?.state === 'partly'
  const shipment = isPartly ? null : purchase.shipment
  const own = is_over ? undefined : await findOwnOrder(services.db, access)
  return {
    id,
    number,
    amount,
    refunded,
    taken_by_bank,
    currency,
    status,
    created_at,
    is_held,
    is_dispute_lost,
    has_mismatch,
    is_going_back,
    is_givable: is_givable && !is_over,
    is_given_away: given !== null,
    ended_right: is_over ? null : purchase.ended_right,
    product,
    is_withdrawn: withdrawal !== null && withdrawal.state !== 'refused' && !isPartly,
    withdrawal,
    refund_right,
    // Before the request nothing is said of earlier orders: who typed the address need not be its owner.
    refund_waits_for: refund_waits_for === 'repeat' ? null : refund_waits_for,
    refund_is_of_paper,
    parcel: shipment && {
      carrier: shipment.carrier,
      tracking_number: shipment.tracking_number,
      shipped_at: shipment.shipped_at,
    },
    own: own ? { ...own, address: shipment?.address ?? null } : null,
    access_ends_at: expires_at?.toISOString() ?? null,
    is_over,
    last_link: await findLastLink(services, access.purchase_id),
  }
}

/** Takes the link of the receipt or the browser that bought, for as long as a right or a promise lasts. */
export async function withdrawAsGuest(
  services: CommerceShop,
  access: PurchaseAccess,
  { reason, is_request, ip }: { reason: string; is_request: boolean; ip: string | null },
): Promise<GuestPurchase> {
  const { is_over } = await findAccess(services, access)
  const { purchase_id } = access
  const buyer = await findBuyer(services, purchase_id)
  if (!buyer) throw orderProblem('purchases.not_refundable')
  const { user_id, email } = buyer
  // Asked only where the page offers it.
  const mayAsk = is_request && !is_over && (await getPurchase(services.db, purchase_id)).ended_right !== null
  const request = { purchase_id, user_id, reason, is_request: mayAsk }
  await declareWithdrawal(services, { id: user_id, email, ip }, request)
  return settleGuestPurchase(services, access)
}

/** Asking anew emails the buyer and the author: whoever has a link could fill their mailboxes. */
const takenBack = { limit: 10, windowSeconds: 3600 }

/** Says nothing of the purchase: what opened it only to be given back may open nothing any more. */
export async function takeBackAsGuest(
  services: CommerceShop,
  access: PurchaseAccess,
  ip: string | null,
): Promise<boolean> {
  await findAccess(services, access)
  const { purchase_id } = access
  const buyer = await findBuyer(services, purchase_id)
  if (!buyer) throw orderProblem('payments.not_waiting')
  await requireLimit(services, `requests-taken-back:${purchase_id}`, takenBack)
  const { user_id, email } = buyer
  const own = { purchase_id, user_id, isSignedIn: false }
  return takeRequestBack(services, { id: user_id, email, ip }, own)
}
