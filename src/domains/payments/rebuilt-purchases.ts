// The shop crashed before it stored the checkout, or was restored from an older backup.
import { v7 as uuidv7 } from 'uuid'
import type { Transaction } from '#platform/db/client.ts'
import { findOrAddErased, insertErasure } from '#domains/accounts/erased-accounts.ts'
import { isErasedId } from '#domains/accounts/erased-ids.ts'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { formatCents } from '#contract/money.ts'
import type { Checkout, ProviderEvent } from '#platform/stripe/payments.ts'
import { checkouts } from '#tables/payments.ts'
import { leftOfPayment } from './payment-states.ts'
import { accountMailJob } from '#domains/accounts/account.emails.ts'
import { findOrAddAccount } from '#domains/accounts/created-accounts.ts'
import { recordPurchaseEvent } from '#domains/orders/purchase-changes.ts'
import { restoreUse } from '#domains/orders/discounts.ts'
import { products } from '#tables/catalog.ts'
import { parseOrderNumber } from '#contract/orders/order-number.ts'
import { purchases } from '#tables/orders.ts'
import { saveCharge } from '#domains/orders/shipping.ts'
import { restorePurchase } from '#domains/orders/buy.ts'
import { restoreConsent } from '#domains/orders/ticked-boxes.ts'
import { restoreGuest } from '#domains/orders/guest-owners.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

type Rebuilt = { purchase_id: string; buyer_id: string | null; now: Date }

/**
 * Finds the erased account of a purchase that is made again after a restore; undefined where it was not erased. What its
 * payment brings of the buyer is erased within hours, or when its parcel is marked as shipped.
 */
async function findErasedBuyer(
  tx: Transaction,
  { purchase_id, buyer_id, now }: Rebuilt,
): Promise<string | undefined> {
  if (!(await isErasedId(tx, purchase_id))) return undefined
  const user_id = await findOrAddErased(tx, buyer_id ?? uuidv7(), now)
  await insertErasure(tx, { user_id, asked_at: now, due_at: now })
  return user_id
}

export async function adoptCheckout(services: CommerceShop, session_id: string): Promise<string | undefined> {
  const { db } = services
  const checkout = await readOwn(services, session_id)
  const isPaid = checkout?.status === 'paid' || checkout?.status === 'waiting'
  // One that ended unpaid may be of a failed attempt, while the next one is being opened.
  if (!isPaid || !checkout.purchase_id) return undefined
  const { purchase_id } = checkout
  const [adopted] = await db
    .update(checkouts)
    .set({ session_id })
    .where(and(eq(checkouts.purchase_id, purchase_id), isNull(checkouts.session_id)))
    .returning({ id: checkouts.purchase_id })
  return adopted?.id
}

export async function findUnmatched(
  services: CommerceShop,
  { session_id }: Pick<ProviderEvent, 'session_id'>,
): Promise<string | undefined> {
  const checkout = session_id ? await readOwn(services, session_id) : undefined
  if (checkout?.status !== 'paid' || leftOfPayment(checkout) <= 0n) return undefined
  const { total, currency, purchase_id } = checkout
  const what = purchase_id
    ? `for the purchase ${purchase_id}, which the shop does not have, or has with another payment`
    : 'in a checkout that names no purchase'
  return `${formatCents(total, currency)} was paid ${what}.`
}

async function readOwn(services: CommerceShop, session_id: string) {
  const checkout = await services.payments.current()?.readCheckout(session_id)
  return checkout && isOwnCheckout(services, checkout) ? checkout : undefined
}

/** Several shops may use one account. */
export function isOwnCheckout({ settings }: CommerceShop, { shop_id }: Pick<Checkout, 'shop_id'>): boolean {
  return shop_id !== null && shop_id === settings.get().shop.id
}

const provider = { id: null, email: 'Stripe', ip: null }

// Makes it under its number, or the next one where another purchase has it; pending until it is settled.
export async function rebuildPurchase(
  services: CommerceShop,
  { session_id }: Pick<ProviderEvent, 'session_id'>,
): Promise<string | undefined> {
  const checkout = session_id ? await readOwn(services, session_id) : undefined
  if (checkout?.status !== 'paid' && checkout?.status !== 'waiting') return undefined
  const { purchase_id, product_id, buyer } = checkout
  if (!purchase_id || !product_id || !buyer) return undefined
  const complete = { ...checkout, purchase_id, product_id, buyer }
  return services.db.transaction((tx) => rebuild(tx, services, complete))
}

async function rebuild(
  tx: Transaction,
  services: CommerceShop,
  {
    purchase_id,
    product_id,
    buyer,
    session_id,
    order,
    consent,
    currency,
    created_at,
    ...paid
  }: Checkout & { purchase_id: string; product_id: string; buyer: NonNullable<Checkout['buyer']> },
): Promise<string | undefined> {
  const { clock, payments } = services
  // Waits for orders under way and holds new ones: nobody takes a number while the sequence is set.
  await tx.execute(sql`lock table purchases in share row exclusive mode`)
  if ((await tx.$count(purchases, eq(purchases.id, purchase_id))) > 0) {
    // The other one of two events of one checkout at the same time has made the purchase.
    const isSame = and(eq(checkouts.purchase_id, purchase_id), eq(checkouts.session_id, session_id))
    return (await tx.$count(checkouts, isSame)) > 0 ? purchase_id : undefined
  }
  if ((await tx.$count(products, sql`${products.id}::text = ${product_id}`)) === 0) return undefined
  const erased = { purchase_id, buyer_id: buyer.id, now: clock() }
  const user_id = (await findErasedBuyer(tx, erased)) ?? (await findBuyer(tx, services, buyer))
  const number = order ? parseOrderNumber(order) : undefined
  const is_live = payments.mode() === 'live'
  const values = {
    id: purchase_id,
    user_id,
    product_id,
    amount: paid.subtotal + (paid.shipping ?? 0n),
    currency,
    seller: paid.sold_by,
    status: 'pending' as const,
    is_test: !is_live,
    created_at,
  }
  await restorePurchase(tx, values, number)
  if (!user_id) await restoreGuest(tx, { purchase_id, email: buyer.email, created_at })
  if (consent !== null) await restoreConsent(tx, { purchase_id, text: consent, given_at: created_at })
  if (paid.code) await restoreUse(tx, { purchase_id, is_counted: is_live }, paid.code)
  if (paid.shipping !== null)
    await saveCharge(tx, { purchase_id, country: paid.address?.country ?? null, amount: paid.shipping })
  const now = clock()
  const checks = { next_check_at: now, rebuilt_at: now }
  await tx.insert(checkouts).values({ purchase_id, session_id, is_live, ...checks })
  await recordPurchaseEvent(tx, provider, { action: 'payments.rebuilt', purchase_id })
  return purchase_id
}

/** Null where the buyer gave an address only: settling the payment finds or adds the account. */
async function findBuyer(
  tx: Transaction,
  { clock, queue }: CommerceShop,
  { id, email }: NonNullable<Checkout['buyer']>,
): Promise<string | null> {
  if (!id) return null
  const { user_id, isNew } = await findOrAddAccount(tx, { id, email }, clock())
  if (isNew) await queue.enqueue(tx, accountMailJob, { kind: 'account_restored', email })
  return user_id
}
