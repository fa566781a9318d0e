// A user asks for the erasure of the own account, and may change their mind until its day.
import { eq } from 'drizzle-orm'
import { dayMs } from '#contract/durations.ts'
import type { SignedInUser } from '#platform/http/route.ts'
import type { BackupShop } from '#domains/backup/shop.ts'
import { privacyProblem } from './problem.ts'
import { accountMailJob } from '#domains/accounts/account.emails.ts'
import { audit, hasRole } from '#domains/accounts/accounts.ts'
import { lockAdmins } from '#domains/accounts/admin-rights.ts'
import { erasureDays, type OwnErasure } from '#contract/privacy/erasures.ts'
import { erasures } from '#tables/accounts.ts'
import { insertErasure, deleteUnbegunErasure } from '#domains/accounts/erased-accounts.ts'
import { hasOpenOrders } from './open-orders.ts'

type AccountOwner = Pick<SignedInUser, 'id' | 'email'>

export async function getOwnErasure(
  { db }: BackupShop,
  { id, is_admin }: Pick<SignedInUser, 'id' | 'is_admin'>,
): Promise<OwnErasure> {
  const [row] = await db.select().from(erasures).where(eq(erasures.user_id, id))
  const due_at = is_admin ? null : (row?.due_at.toISOString() ?? null)
  return { due_at, has_open_orders: await hasOpenOrders(db, id), is_admin }
}

/** A second one changes nothing: the day stays. */
export function askForErasure(
  { db, clock, queue }: BackupShop,
  { id: user_id, email }: AccountOwner,
): Promise<void> {
  const now = clock()
  const due_at = new Date(now.getTime() + erasureDays * dayMs)
  return db.transaction(async (tx) => {
    await lockAdmins(tx)
    if (await hasRole(tx, user_id, 'admin')) throw privacyProblem('erasures.of_admin')
    if (!(await insertErasure(tx, { user_id, asked_at: now, due_at }))) return
    await audit(tx, { user_id, event: 'erasure_asked' }, now)
    await queue.enqueue(tx, accountMailJob, { kind: 'erasure_asked', email, due_at: due_at.toISOString() })
  })
}

export function cancelErasure(
  { db, clock, queue }: BackupShop,
  { id: user_id, email }: AccountOwner,
): Promise<void> {
  return db.transaction(async (tx) => {
    if (!(await deleteUnbegunErasure(tx, user_id))) return
    await audit(tx, { user_id, event: 'erasure_canceled' }, clock())
    await queue.enqueue(tx, accountMailJob, { kind: 'erasure_canceled', email })
  })
}
