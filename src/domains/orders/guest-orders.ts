import { updatePurchase, orderProblem } from './purchase-changes.ts'
// Tokens that open one purchase without an account: of the browser that bought, of the link in a receipt, and of the way
// back from the payment.
import { createHash, randomBytes } from 'node:crypto'
import { and, eq, inArray, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import type { AccessLink } from '#contract/orders/purchases.ts'
import { linkDays } from '#contract/orders/prices.ts'
import { accessKinds, guest_checkouts, purchase_access, purchases } from '#tables/orders.ts'
import { z } from 'zod'
import { queryAll, queryFirst } from '#platform/db/query.ts'
import { platformProblem } from '#platform/problem.ts'
import { consumeLimit } from '#platform/http/rate-limits.ts'
import { isEntitled } from './entitlements.ts'
import { widerNetworks } from '#platform/http/client-ip.ts'
import { findOrAddUnconfirmed } from '#domains/accounts/created-accounts.ts'
import type { Settings } from '#platform/settings.ts'
import { paymentMode } from '#platform/stripe/payments.ts'
import type { BookShop } from '#domains/book/shop.ts'

const dayMs = 24 * 3_600_000
const browserDays = 1
/** Longer than a checkout is asked about (payments/payment-states.ts). */
const unpaidDays = 100
/** Longer than the longest promise to give money back, a year. */
const refundableDays = 400

export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** The browser's proof leads to one purchase: the one that replaces a canceled one takes it over. */
async function saveProof(
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

/** From the payment on. */
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
  services: BookShop,
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

/** `receipt`: mailed to the buyer; `link`: made on a page, to be passed on. Older rows of both have `receipt`. */
const linkKinds = ['receipt', 'link'] as const

type NewLink = { siteUrl: string; purchase_id: string; kind: (typeof linkKinds)[number] }

/** The only time that the token itself is seen. It is in the fragment, which browsers send to no server. */
export async function addLink(
  db: Db,
  { siteUrl, purchase_id, kind }: NewLink,
  now: Date,
): Promise<{ url: string; token: string; expires_at: Date }> {
  const token = randomBytes(32).toString('base64url')
  const expires_at = new Date(now.getTime() + linkDays * dayMs)
  await db
    .insert(purchase_access)
    .values({ hash: hashOf(token), purchase_id, kind, created_at: now, expires_at })
  return { url: `${siteUrl}/purchase/${purchase_id}#${token}`, token, expires_at }
}

/** For rows of `purchase_access`. */
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
export async function requireAccess(services: BookShop, access: PurchaseAccess): Promise<Access> {
  const holder = await findAccess(services, access)
  if (holder.is_over) throw orderProblem('guest_checkout.access_ended')
  return holder
}

/**
 * Also after its time, when it still takes the purchase back, but for the id of a checkout. Throws purchases.not_found,
 * and guest_checkout.access_ended for that.
 */
export async function findAccess(
  { db, clock }: BookShop,
  { purchase_id, hash }: PurchaseAccess,
): Promise<Access> {
  const isOfPurchase = and(eq(purchase_access.hash, hash), eq(purchase_access.purchase_id, purchase_id))
  // The version before, which may still run beside this one, adds a third kind.
  const isValid = inArray(purchase_access.kind, accessKinds)
  const [access] = await db.select().from(purchase_access).where(and(isOfPurchase, isValid))
  if (!access) throw orderProblem('purchases.not_found')
  const { kind, expires_at } = access
  const is_over = expires_at !== null && expires_at <= clock()
  // It stands in the history of a browser.
  if (is_over && kind === 'return') throw orderProblem('guest_checkout.access_ended')
  return { kind, expires_at, is_over }
}

export async function sweepGuestCheckouts({ db, clock }: BookShop): Promise<void> {
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

// What the browser that bought with an address only may do with its order, for a day after the payment.

/** The address can be corrected once. */
const ownOrder = z.object({ receipt_to: z.string(), is_correctable: z.boolean() })
type OwnOrder = z.output<typeof ownOrder>

/** Undefined for the link of a receipt, which may be passed on, and once the author has moved the order to another address. */
export function findOwnOrder(db: Db, { purchase_id, hash }: PurchaseAccess): Promise<OwnOrder | undefined> {
  return queryFirst(
    db,
    ownOrder,
    sql`
      select g.email as receipt_to, not exists (
          select from purchase_moves m where m.purchase_id = a.purchase_id and m.is_by_buyer) as is_correctable
      from purchase_access a join guest_checkouts g on g.purchase_id = a.purchase_id
      where a.hash = ${hash} and a.purchase_id = ${purchase_id} and a.kind = 'browser'
        and not exists (select from purchase_moves m where m.purchase_id = a.purchase_id and not m.is_by_buyer)`,
  )
}

// The link that opens an order without an account: in its receipt, for its buyer to save, and for the author to pass on.

/** For an order that was bought with an address only. Throws purchases.not_found and purchases.not_completed. */
export async function makeOrderLink(
  { db, clock, settings }: BookShop,
  purchase_id: string,
): Promise<AccessLink> {
  return db.transaction(async (tx) => {
    const order = await findOrder(tx, purchase_id)
    if (!order) throw orderProblem('purchases.not_found')
    if (!order.is_entitled) throw orderProblem('purchases.not_completed')
    const isThis = eq(guest_checkouts.purchase_id, purchase_id)
    await tx.update(guest_checkouts).set({ had_password: false }).where(isThis)
    const link = { siteUrl: settings.get().shop.site_url, purchase_id, kind: 'link' } as const
    const { url, expires_at } = await addLink(tx, link, clock())
    return { url, ends_at: expires_at.toISOString() }
  })
}

const orderRow = z.object({ is_entitled: z.boolean() })

function findOrder(db: Db, purchase_id: string) {
  return queryFirst(
    db,
    orderRow,
    sql`
      select ${isEntitled(sql`p`)} as is_entitled from purchases p join guest_checkouts g on g.purchase_id = p.id
      where p.id = ${purchase_id}`,
  )
}

/** Enough for a buyer who presses again and again, and few rows for one who does so all day. */
const linksOfOrder = { limit: 20, windowSeconds: 86_400 }

/** For the browser that bought: who only has a link would make it last for ever. */
export async function makeOwnLink(services: BookShop, access: PurchaseAccess): Promise<AccessLink> {
  const { db, config } = services
  const { purchase_id } = access
  await requireAccess(services, access)
  if (!(await findOwnOrder(db, access))) throw orderProblem('guest_checkout.other_browser')
  if (config.hasRateLimits) {
    const { allowed, retryAfter } = await consumeLimit(db, `guest-links:${purchase_id}`, linksOfOrder)
    if (!allowed) throw platformProblem('request.rate_limited', { retryAfter })
  }
  return makeOrderLink(services, purchase_id)
}

// A purchase that is begun with an address instead of an account.

export type Guest = { id: null; email: string; proof_hash: Buffer; network: string }

/** A copy, or a use of a discount code, is not reserved for longer. */
export const maxReservationMs = 3_600_000

/** Before any row is locked: two requests of one browser, or of one network, do not pass each other. */
export async function lockGuest(tx: Transaction, { proof_hash, network }: Guest): Promise<void> {
  const networks = widerNetworks(network).map(([wider]) => `guest network ${wider}`)
  for (const key of [`guest ${proof_hash.toString('hex')}`, ...networks.toReversed()])
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}

/** Throws guest_checkout.nothing_to_pay and guest_checkout.too_many_reservations. Call lockGuest first. */
export async function saveGuest(
  tx: Transaction,
  { email, network, proof_hash }: Guest,
  { purchase_id, now }: { purchase_id: string; now: Date },
): Promise<void> {
  await tx.insert(guest_checkouts).values({ purchase_id, email, network })
  await saveProof(tx, { purchase_id, proof_hash })
  const [free] = await tx
    .select({ id: purchases.id })
    .from(purchases)
    .where(and(eq(purchases.id, purchase_id), sql`${purchases.amount} = 0`))
  if (free) throw orderProblem('guest_checkout.nothing_to_pay')
  for (const [wider, times] of widerNetworks(network)) {
    for (const { orders, left, first_at } of await listReservations(tx, purchase_id, wider)) {
      if (orders <= times * maxReservations(orders + left)) continue
      const retryAfter = Math.ceil((first_at.getTime() + maxReservationMs - now.getTime()) / 1000)
      throw orderProblem('guest_checkout.too_many_reservations', { retryAfter: Math.max(1, retryAfter) })
    }
  }
}

/**
 * What one network may reserve at a time of the copies of a product, or of the uses of a code, that nobody else has: an
 * audience behind one address buys, and a stranger holds no more than a tenth back.
 */
function maxReservations(left: number): number {
  return Math.min(20, Math.max(2, Math.floor(left / 10)))
}

/** Only those of IPv6 have wider ones. */
const isWithin = (network: string) =>
  network.endsWith('/56') || network.endsWith('/48')
    ? sql`case when g.network like '%/64' then g.network::cidr <<= ${network}::cidr end`
    : sql`g.network = ${network}`

const reservation = z.object({ orders: z.number(), left: z.number(), first_at: z.coerce.date() })

/**
 * Of each product with counted copies and each limited code in this purchase: what nobody has, and how many unpaid orders
 * of the network, this one among them, have one of it.
 */
function listReservations(tx: Transaction, purchase_id: string, network: string) {
  return queryAll(
    tx,
    reservation,
    sql`
      with items as (
        select t.product_id as id, s.copies as nobodys from taken_copies t join stock s using (product_id)
        where t.purchase_id = ${purchase_id}
        union all
        select c.id, c.max_uses - c.uses from discount_uses u join discount_codes c on c.id = u.code_id
        where u.purchase_id = ${purchase_id} and u.is_counted and c.max_uses is not null)
      select count(*)::int as orders, items.nobodys as left, min(b.created_at) as first_at
      from items, guest_checkouts g join purchases b on b.id = g.purchase_id
      where ${isWithin(network)} and b.status = 'pending' and (
        exists (select from taken_copies t where t.purchase_id = b.id and t.product_id = items.id)
        or exists (select from discount_uses u
          where u.purchase_id = b.id and u.code_id = items.id and u.is_counted))
      group by items.id, items.nobodys`,
  )
}

export async function findGuestPurchase(db: Db, proof_hash: Buffer): Promise<string | undefined> {
  const [row] = await db
    .select({ purchase_id: purchase_access.purchase_id })
    .from(purchase_access)
    .where(eq(purchase_access.hash, proof_hash))
  return row?.purchase_id
}

// Whose a purchase becomes that was begun with an address only.

/** In the transaction that records the payment. The purchase's row must be locked, and no copies taken yet. */
export async function assignGuestPurchase(
  tx: Transaction,
  { clock }: BookShop,
  purchase_id: string,
): Promise<void> {
  const [guest] = await tx.select().from(guest_checkouts).where(eq(guest_checkouts.purchase_id, purchase_id))
  if (!guest) throw new Error('a purchase has neither a user nor an address')
  const { user_id } = await findOrAddUnconfirmed(tx, guest.email, clock())
  await tx.update(purchases).set({ user_id }).where(eq(purchases.id, purchase_id))
  await tx.update(guest_checkouts).set({ network: null }).where(eq(guest_checkouts.purchase_id, purchase_id))
}

/** Of a purchase that is made again after a restore. */
export async function restoreGuest(
  tx: Transaction,
  guest: Pick<typeof guest_checkouts.$inferInsert, 'purchase_id' | 'email' | 'created_at'>,
): Promise<void> {
  await tx.insert(guest_checkouts).values(guest)
}

/** From then on it is of that account only; the row of the purchase must be locked. */
export async function changeOwner(
  tx: Transaction,
  { purchase_id, user_id, email }: { purchase_id: string; user_id: string; email: string },
): Promise<void> {
  await updatePurchase(tx, purchase_id, { user_id, idempotency_key: null })
  await tx.update(guest_checkouts).set({ email }).where(eq(guest_checkouts.purchase_id, purchase_id))
}

/** Whose purchase it is, or will be: for queries that left join profiles and guest_checkouts. */
export const buyerEmail = sql<string>`coalesce(profiles.email, guest_checkouts.email)`

/** Whether visitors buy with an address only. The sample's shop asks for an account first. */
export function hasGuestCheckout(
  { settings }: { settings: Pick<Settings, 'get'> },
  is_own: boolean,
): boolean {
  return is_own && settings.get().shop.has_guest_checkout && paymentMode(settings) !== 'none'
}
