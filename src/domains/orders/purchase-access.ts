// Tokens that open one purchase without an account: of the browser that bought, and of the link in a receipt.
import { createHash, randomBytes } from 'node:crypto'
import { and, eq, inArray, isNotNull, isNull, lt, ne, or, sql } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import { orderProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import { linkDays } from '#contract/orders/guest-checkout.ts'
import { accessKinds, guest_checkouts, purchase_access } from '#tables/guest-checkout.ts'

const dayMs = 24 * 3_600_000
const browserDays = 1
/** Longer than a checkout is asked about (payments/next-check.ts). */
const unpaidDays = 100
/** Longer than the longest promise to give money back, a year. */
const refundableDays = 400

export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

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

export async function limitProof(tx: Transaction, purchase_id: string, now: Date): Promise<void> {
  const expires_at = new Date(now.getTime() + browserDays * dayMs)
  const isOfBrowser = and(eq(purchase_access.purchase_id, purchase_id), eq(purchase_access.kind, 'browser'))
  await tx.update(purchase_access).set({ expires_at }).where(isOfBrowser)
}

/** The only time that the token itself is seen. It is in the fragment, which browsers send to no server. */
export async function addLink(
  db: Db,
  siteUrl: string,
  purchase_id: string,
  now: Date,
): Promise<{ url: string; token: string; expires_at: Date }> {
  const token = randomBytes(32).toString('base64url')
  const expires_at = new Date(now.getTime() + linkDays * dayMs)
  await db
    .insert(purchase_access)
    .values({ hash: hashOf(token), purchase_id, kind: 'receipt', created_at: now, expires_at })
  return { url: `${siteUrl}/purchase/${purchase_id}#${token}`, token, expires_at }
}

export async function endLinks(tx: Transaction, purchase_id: string): Promise<number> {
  const isLink = and(eq(purchase_access.purchase_id, purchase_id), eq(purchase_access.kind, 'receipt'))
  const { rowCount } = await tx.delete(purchase_access).where(isLink)
  return rowCount ?? 0
}

export type PurchaseAccess = { purchase_id: string; hash: Buffer }

type Access = { expires_at: Date | null; is_over: boolean }

/** Throws purchases.not_found where the token opens another purchase or none, guest_checkout.access_ended after its time. */
export async function requireAccess(
  services: Pick<Services, 'db' | 'clock'>,
  access: PurchaseAccess,
): Promise<Access> {
  const found = await findAccess(services, access)
  if (found.is_over) throw orderProblem('guest_checkout.access_ended')
  return found
}

/** Also after its time, when it still takes the purchase back. Throws purchases.not_found. */
export async function findAccess(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { purchase_id, hash }: PurchaseAccess,
): Promise<Access> {
  const isOfPurchase = and(eq(purchase_access.hash, hash), eq(purchase_access.purchase_id, purchase_id))
  // The version before, which may still run beside this one, adds a third kind.
  const isValid = inArray(purchase_access.kind, accessKinds)
  const [access] = await db.select().from(purchase_access).where(and(isOfPurchase, isValid))
  if (!access) throw orderProblem('purchases.not_found')
  const { expires_at } = access
  return { expires_at, is_over: expires_at !== null && expires_at <= clock() }
}

export async function sweepGuestCheckouts({ db, clock }: Pick<Services, 'db' | 'clock'>): Promise<void> {
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
