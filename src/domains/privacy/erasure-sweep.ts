// The hourly sweep of erasures. Signing in ends first: whatever is under way then has ended when the data are deleted.
import { sql, and, eq, isNull, lt, lte } from 'drizzle-orm'
import { z } from 'zod'
import type { Transaction } from '#platform/db/client.ts'
import { queryAll } from '#platform/db/query.ts'
import type { BackupShop } from '#domains/backup/shop.ts'
import { hasRole } from '#domains/accounts/accounts.ts'
import { locked_buyers } from '#tables/privacy.ts'
import { erasures } from '#tables/accounts.ts'
import { endAccess, deleteErasure, setErasureBegun } from '#domains/accounts/erased-accounts.ts'
import { appendErasedIds } from '#domains/accounts/erased-ids.ts'
import { removeFromOutbox } from '#platform/mail.ts'
import { hasOpenOrders } from './open-orders.ts'
import { eraseAccount, erasedAddress, isMailOf } from './account-erasure.ts'

/** Longer than any request. */
const quietMs = 10 * 60_000

export async function sweepErasures(
  services: Pick<BackupShop, 'db' | 'clock' | 'config' | 'log'>,
): Promise<void> {
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

/** The erasure of an account that became admin meanwhile ends without effect. */
function beginErasure({ db }: Pick<BackupShop, 'db'>, user_id: string, now: Date): Promise<void> {
  const isThis = eq(erasures.user_id, user_id)
  return db.transaction(async (tx) => {
    const [row] = await tx
      .select()
      .from(erasures)
      .where(and(isThis, lte(erasures.due_at, now)))
      .for('update')
    if (!row || (await hasOpenOrders(tx, user_id))) return
    if (await endAccess(tx, user_id, now)) await setErasureBegun(tx, user_id, now)
    else await deleteErasure(tx, user_id)
  })
}

async function finishErasure(
  { db, config, log }: Pick<BackupShop, 'db' | 'config' | 'log'>,
  user_id: string,
  now: Date,
): Promise<void> {
  const unsentMails = await db.transaction(async (tx) => {
    const isThis = eq(erasures.user_id, user_id)
    const [row] = await tx.select().from(erasures).where(isThis).for('update', { skipLocked: true })
    if (!row || (await hasOpenOrders(tx, user_id)) || (await hasRole(tx, user_id, 'admin'))) return undefined
    const unsent = await listUnsentMails(tx, user_id)
    await deleteJobs(tx, user_id)
    await eraseAccount(tx, { user_id, now }, (ids) => appendErasedIds(config, ids))
    return unsent
  })
  if (!unsentMails) return
  await removeFromOutbox(config, unsentMails)
  log.info({ user_id }, 'an account was erased')
}

/** Those of emails, which are kept for weeks. A restored database has none. */
async function deleteJobs(tx: Transaction, user_id: string): Promise<void> {
  await tx.execute(sql`
    delete from pgboss.job
    where state <> 'active' and created_on < (select began_at from erasures where user_id = ${user_id})
      and ${erasedAddress(user_id)} in (lower(data ->> 'email'), lower(data ->> 'new_email'))`)
}

async function listUnsentMails(tx: Transaction, user_id: string): Promise<string[]> {
  const query = sql`
    select mails.id from mails left join purchases b on b.id = mails.purchase_id
    where mails.status = 'unsent' and (b.user_id = ${user_id} or ${isMailOf(erasedAddress(user_id))})`
  return (await queryAll(tx, z.object({ id: z.string() }), query)).map(({ id }) => id)
}
