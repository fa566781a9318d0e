// The keys to an order without an account: the proof of the browser that bought, the return from payment, and links.
import { orderProblem } from './problem.ts'
import { hashOf, newToken } from '#platform/mailed-token.ts'
import { z } from 'zod'
import { and, eq, inArray, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import { queryOne } from '#platform/db/query.ts'
import { dayMs } from '#contract/durations.ts'
import { linkDays } from '#contract/orders/prices.ts'
import { type accessKinds, guest_checkouts, purchase_access } from '#tables/orders.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

const browserDays = 1
/** Longer than a checkout is asked about (payments/payment-states.ts). */
const unpaidDays = 100
/** Longer than the longest promise to give money back, a year. */
const refundableDays = 400

/** The browser's proof leads to one purchase: the one that replaces a canceled one takes it over. */
export async function saveProof(
  tx: Transaction,
  { purchase_id, proof_hash: hash }: { purchase_id: string; proof_hash: Buffer },
): Promise<void> {
  const access = { purchase_id, kind: 'browser' as const, expires_at: null }
  const { rowCount } = await tx
    .insert(purchase_access)
    .values({ hash, ...access })
    .onConflictDoUpdate({
      target: purchase_access.hash,
      set: { ...access, created_at: sql`now()` },
      setWhere: eq(purchase_access.kind, 'browser'),
    })
  // It is the token of a receipt's link.
  if (!rowCount) throw orderProblem('purchases.key_reused')
}

/** Counts the days from the payment on. */
export async function limitProof(tx: Transaction, purchase_id: string, now: Date): Promise<void> {
  const expires_at = new Date(now.getTime() + browserDays * dayMs)
  const isOfBuyer = and(
    eq(purchase_access.purchase_id, purchase_id),
    inArray(purchase_access.kind, ['browser', 'return']),
  )
  await tx.update(purchase_access).set({ expires_at }).where(isOfBuyer)
}

/** The id of the checkout, with which Stripe leads back: it opens this order where the browser keeps nothing. */
export async function saveReturn(tx: Transaction, purchase_id: string, session_id: string): Promise<void> {
  const isOfGuest = await tx.$count(guest_checkouts, eq(guest_checkouts.purchase_id, purchase_id))
  if (!isOfGuest) return
  await tx
    .insert(purchase_access)
    .values({ hash: hashOf(session_id), purchase_id, kind: 'return', expires_at: null })
    .onConflictDoNothing()
}

/**
 * The id of the checkout becomes the proof of this browser, and opens nothing more; the same proof may be sent again.
 * Throws purchases.not_found and guest_checkout.access_ended.
 */
export async function exchangeReturn(
  services: CommerceShop,
  access: PurchaseAccess,
  proof_hash: Buffer,
): Promise<void> {
  const { db } = services
  const { purchase_id, hash } = access
  const proven = await findAccess(services, { purchase_id, hash: proof_hash }).catch(() => undefined)
  if (proven) return
  await requireAccess(services, access)
  await db.transaction(async (tx) => {
    const isReturn = and(
      eq(purchase_access.hash, hash),
      eq(purchase_access.purchase_id, purchase_id),
      eq(purchase_access.kind, 'return'),
    )
    const [row] = await tx.delete(purchase_access).where(isReturn).returning()
    if (!row) throw orderProblem('purchases.not_found')
    const { expires_at, created_at } = row
    const proof = { hash: proof_hash, purchase_id, kind: 'browser' as const, expires_at, created_at }
    const { rowCount } = await tx.insert(purchase_access).values(proof).onConflictDoNothing()
    // It opens another order.
    if (!rowCount) throw orderProblem('purchases.key_reused')
  })
}

/** `receipt`: mailed to the buyer; `link`: made on a page, to be passed on. */
const linkKinds = ['receipt', 'link'] as const

type NewLink = { siteUrl: string; purchase_id: string; kind: (typeof linkKinds)[number] }

const linkEnd = z.object({ expires_at: z.coerce.date() })

/** Takes a row of products: days from the beginning of the day of release. Null where nothing is to come out. */
const endAfterRelease = (product: SQL) => sql`(
  case when pending_release(${product}) is not null
    then release_moment(${product}.id) + make_interval(days => ${linkDays}::int) end)`

/**
 * The only time that the token itself is seen. It is in the fragment, which browsers send to no server. It works until
 * `linkDays` after now, or after the release of a pre-order: where no email is sent, it is the only way to the book.
 */
export async function addLink(
  db: Db,
  { siteUrl, purchase_id, kind }: NewLink,
  now: Date,
): Promise<{ url: string; token: string; expires_at: Date }> {
  const token = newToken()
  const soonest = new Date(now.getTime() + linkDays * dayMs)
  const { expires_at } = await queryOne(
    db,
    linkEnd,
    sql`
      select greatest(${soonest}::timestamptz, ${endAfterRelease(sql`p`)}) as expires_at
      from purchases b join products p on p.id = b.product_id where b.id = ${purchase_id}`,
  )
  await db
    .insert(purchase_access)
    .values({ hash: hashOf(token), purchase_id, kind, created_at: now, expires_at })
  return { url: `${siteUrl}/purchase/${purchase_id}#${token}`, token, expires_at }
}

/** Called where the day of a release has changed: links that would end sooner than one made now get its end. */
export async function extendLinks(tx: Transaction, product_id: string): Promise<void> {
  await tx.execute(sql`
    update purchase_access set expires_at = later.expires_at
    from (
      select b.id, ${endAfterRelease(sql`p`)} as expires_at
      from purchases b join products p on p.id = b.product_id
      where p.id = ${product_id} or p.id in (select bundle_id from bundle_items where product_id = ${product_id})
    ) later
    where later.id = purchase_access.purchase_id and ${isLink} and purchase_access.expires_at < later.expires_at`)
}

/** Takes rows of `purchase_access`. */
export const isLink = inArray(purchase_access.kind, linkKinds)

export async function endLinks(tx: Transaction, purchase_id: string): Promise<number> {
  const { rowCount } = await tx
    .delete(purchase_access)
    .where(and(eq(purchase_access.purchase_id, purchase_id), isLink))
  return rowCount ?? 0
}

export type PurchaseAccess = { purchase_id: string; hash: Buffer }

type Access = { kind: (typeof accessKinds)[number]; expires_at: Date | null; is_over: boolean }

/** Throws purchases.not_found where the token opens another purchase or none, guest_checkout.access_ended after its time. */
export async function requireAccess(services: CommerceShop, access: PurchaseAccess): Promise<Access> {
  const holder = await findAccess(services, access)
  if (holder.is_over) throw orderProblem('guest_checkout.access_ended')
  return holder
}

/**
 * Accepts access after its time, too, when it still takes the purchase back, but for the id of a checkout. Throws
 * purchases.not_found, and guest_checkout.access_ended for that.
 */
export async function findAccess(
  { db, clock }: CommerceShop,
  { purchase_id, hash }: PurchaseAccess,
): Promise<Access> {
  const isOfPurchase = and(eq(purchase_access.hash, hash), eq(purchase_access.purchase_id, purchase_id))
  const [access] = await db.select().from(purchase_access).where(isOfPurchase)
  if (!access) throw orderProblem('purchases.not_found')
  const { kind, expires_at } = access
  const is_over = expires_at !== null && expires_at <= clock()
  // It stands in the history of a browser.
  if (is_over && kind === 'return') throw orderProblem('guest_checkout.access_ended')
  return { kind, expires_at, is_over }
}

export async function sweepGuestCheckouts({ db, clock }: CommerceShop): Promise<void> {
  const before = (days: number) => new Date(clock().getTime() - days * dayMs)
  const { expires_at, created_at } = purchase_access
  await db
    .delete(purchase_access)
    .where(
      or(lt(expires_at, before(refundableDays)), and(isNull(expires_at), lt(created_at, before(unpaidDays)))),
    )
  const hasNetwork = isNotNull(guest_checkouts.network)
  await db
    .update(guest_checkouts)
    .set({ network: null })
    .where(and(hasNetwork, lt(guest_checkouts.created_at, before(1))))
  const wasCanceled = sql`exists (select from purchases b where b.id = ${guest_checkouts.purchase_id}
    and b.status = 'canceled' and b.user_id is null)`
  await db
    .update(guest_checkouts)
    .set({ email: '' })
    .where(
      and(ne(guest_checkouts.email, ''), lt(guest_checkouts.created_at, before(unpaidDays)), wasCanceled),
    )
}
