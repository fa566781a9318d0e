// A purchase that is begun with an address instead of an account.
import { hourMs } from '#contract/durations.ts'
import { orderProblem } from './problem.ts'
import { and, eq, sql } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import { guest_checkouts, purchase_access, purchases } from '#tables/orders.ts'
import { z } from 'zod'
import { queryAll } from '#platform/db/query.ts'
import { widerNetworks } from '#platform/http/client-ip.ts'
import { saveProof } from './guest-orders.ts'

export type Guest = { id: null; email: string; proof_hash: Buffer; network: string }

/** A copy, or a use of a discount code, is not reserved for longer. */
export const maxReservationMs = hourMs

/** Must be called before any row is locked: two requests of one browser, or of one network, do not pass each other. */
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
 * Bounds what one network may reserve at a time of the copies of a product, or of the uses of a code, that nobody else has:
 * an audience behind one address buys, and a stranger holds no more than a tenth back.
 */
function maxReservations(left: number): number {
  return Math.min(20, Math.max(2, Math.floor(left / 10)))
}

/** Networks of IPv6 alone have wider ones. */
const isWithin = (network: string) =>
  network.endsWith('/56') || network.endsWith('/48')
    ? sql`case when g.network like '%/64' then g.network::cidr <<= ${network}::cidr end`
    : sql`g.network = ${network}`

const reservation = z.object({ orders: z.number(), left: z.number(), first_at: z.coerce.date() })

/**
 * Counts, for each product with counted copies and each limited code in this purchase, what nobody has, and how many unpaid
 * orders of the network, this one among them, have one of it.
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
