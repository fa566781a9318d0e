// A purchase that is begun with an address instead of an account.
import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Transaction } from '#platform/db/client.ts'
import { queryOne } from '#platform/db/query.ts'
import { widerNetworks } from '#platform/http/client-ip.ts'
import { orderProblem } from './problem.ts'
import { saveProof } from './purchase-access.ts'
import { guest_checkouts, purchase_access } from '#tables/guest-checkout.ts'

export type Guest = { id: null; email: string; proof_hash: Buffer; network: string }

const maxReservations = 2

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
  purchase_id: string,
): Promise<void> {
  await tx.insert(guest_checkouts).values({ purchase_id, email, network })
  await saveProof(tx, { purchase_id, proof_hash })
  for (const [wider, times] of widerNetworks(network)) {
    const { is_free, is_reserving, reservations } = await queryOne(tx, facts, readFacts(purchase_id, wider))
    if (is_free) throw orderProblem('guest_checkout.nothing_to_pay')
    if (is_reserving && reservations > maxReservations * times)
      throw orderProblem('guest_checkout.too_many_reservations', { retryAfter: 3600 })
  }
}

const facts = z.object({ is_free: z.boolean(), is_reserving: z.boolean(), reservations: z.number() })

/** Only those of IPv6 have wider ones. */
const isWithin = (network: string) =>
  network.endsWith('/56') || network.endsWith('/48')
    ? sql`case when g.network like '%/64' then g.network::cidr <<= ${network}::cidr end`
    : sql`g.network = ${network}`

/** Copies, and uses of limited codes, that nobody else can have until the payment or its end. */
const readFacts = (purchase_id: string, network: string) => sql`
  with reserving as (
    select b.id from guest_checkouts g join purchases b on b.id = g.purchase_id
    where ${isWithin(network)} and b.status = 'pending' and (
      exists (select from taken_copies t where t.purchase_id = b.id)
      or exists (select from discount_uses u join discount_codes c on c.id = u.code_id
        where u.purchase_id = b.id and u.is_counted and c.max_uses is not null)))
  select amount = 0 as is_free, id in (select id from reserving) as is_reserving,
    (select count(*)::int from reserving) as reservations
  from purchases where id = ${purchase_id}`

export async function findGuestPurchase(db: Db, proof_hash: Buffer): Promise<string | undefined> {
  const [found] = await db
    .select({ purchase_id: purchase_access.purchase_id })
    .from(purchase_access)
    .where(eq(purchase_access.hash, proof_hash))
  return found?.purchase_id
}
