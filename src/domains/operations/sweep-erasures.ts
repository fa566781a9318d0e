// The hourly sweep of erasures. Signing in ends first: whatever is under way then has ended when the data are deleted.
import { and, eq, isNull, lt, lte, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Transaction } from '#platform/db/client.ts'
import { queryAll } from '#platform/db/query.ts'
import { removeFromOutbox } from '#platform/outbox.ts'
import type { Services } from '#platform/services.ts'
import { hasRole } from '#domains/accounts/accounts.ts'
import { endAccess } from '#domains/accounts/erased-account.ts'
import { eraseAccount, erasedAddress, isMailOf } from './erase-account.ts'
import { appendErasedIds } from '#domains/accounts/erased-ids.ts'
import { hasOpenOrders } from './open-orders.ts'
import { erasures, locked_buyers } from '#tables/erasures.ts'

type Needs = Pick<Services, 'db' | 'clock' | 'config' | 'log'>

/** Longer than any request. */
const quietMs = 10 * 60_000

export async function sweepErasures(services: Needs): Promise<void> {
  const { db, clock } = services
  const now = clock()
  const hasBegun = lt(erasures.began_at, new Date(now.getTime() - quietMs))
  for (const { user_id } of await db.select().from(erasures).where(hasBegun))
    await finishErasure(services, user_id, now)
  const isDue = and(lte(erasures.due_at, now), isNull(erasures.began_at))
  for (const { user_id } of await db.select().from(erasures).where(isDue))
    await beginErasure(services, user_id, now)
  await db.delete(locked_buyers).where(lte(locked_buyers.locked_until, now))
}

/** That of an account that became admin meanwhile ends without effect. */
function beginErasure({ db }: Needs, user_id: string, now: Date): Promise<void> {
  const isThis = eq(erasures.user_id, user_id)
  return db.transaction(async (tx) => {
    const [asked] = await tx
      .select()
      .from(erasures)
      .where(and(isThis, lte(erasures.due_at, now)))
      .for('update')
    if (!asked || (await hasOpenOrders(tx, user_id))) return
    if (await endAccess(tx, user_id, now)) await tx.update(erasures).set({ began_at: now }).where(isThis)
    else await tx.delete(erasures).where(isThis)
  })
}

async function finishErasure({ db, config, log }: Needs, user_id: string, now: Date): Promise<void> {
  const keptMails = await db.transaction(async (tx) => {
    const isThis = eq(erasures.user_id, user_id)
    const [asked] = await tx.select().from(erasures).where(isThis).for('update', { skipLocked: true })
    if (!asked || (await hasOpenOrders(tx, user_id)) || (await hasRole(tx, user_id, 'admin')))
      return undefined
    const kept = await listKeptMails(tx, user_id)
    await deleteJobs(tx, user_id)
    await eraseAccount(tx, { user_id, now }, (ids) => appendErasedIds(config, ids))
    return kept
  })
  if (!keptMails) return
  await removeFromOutbox(config, keptMails)
  log.info({ user_id }, 'an account was erased')
}

/** Those of emails, which are kept for weeks. A restored database has none. */
async function deleteJobs(tx: Transaction, user_id: string): Promise<void> {
  await tx.execute(sql`
    delete from pgboss.job
    where state <> 'active' and created_on < (select began_at from erasures where user_id = ${user_id})
      and ${erasedAddress(user_id)} in (lower(data ->> 'email'), lower(data ->> 'new_email'))`)
}

async function listKeptMails(tx: Transaction, user_id: string): Promise<string[]> {
  const query = sql`
    select mails.id from mails left join purchases b on b.id = mails.purchase_id
    where mails.status = 'kept' and (b.user_id = ${user_id} or ${isMailOf(erasedAddress(user_id))})`
  return (await queryAll(tx, z.object({ id: z.string() }), query)).map(({ id }) => id)
}
