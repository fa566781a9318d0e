// A user asks for the erasure of the own account, and may change their mind until its day.
import { and, eq, isNull } from 'drizzle-orm'
import type { SignedInUser } from '#platform/http/route.ts'
import { operationProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import { accountMailJob } from '#domains/accounts/account-mail.ts'
import { audit, hasRole } from '#domains/accounts/accounts.ts'
import { lockAdmins } from '#domains/accounts/admin-rights.ts'
import { erasureDays, type OwnErasure } from '#contract/operations/erasures.ts'
import { hasOpenOrders } from './open-orders.ts'
import { erasures } from '#tables/erasures.ts'

type Needs = Pick<Services, 'db' | 'clock' | 'queue'>
type Own = Pick<SignedInUser, 'id' | 'email'>

export async function getOwnErasure(
  { db }: Pick<Services, 'db'>,
  { id, is_admin }: Pick<SignedInUser, 'id' | 'is_admin'>,
): Promise<OwnErasure> {
  const [asked] = await db.select().from(erasures).where(eq(erasures.user_id, id))
  const due_at = is_admin ? null : (asked?.due_at.toISOString() ?? null)
  return { due_at, has_open_orders: await hasOpenOrders(db, id), is_admin }
}

/** A second one changes nothing: the day stays. */
export function askForErasure({ db, clock, queue }: Needs, { id: user_id, email }: Own): Promise<void> {
  const now = clock()
  const due_at = new Date(now.getTime() + erasureDays * 86_400_000)
  return db.transaction(async (tx) => {
    await lockAdmins(tx)
    if (await hasRole(tx, user_id, 'admin')) throw operationProblem('erasures.of_admin')
    const { rowCount } = await tx
      .insert(erasures)
      .values({ user_id, asked_at: now, due_at })
      .onConflictDoNothing()
    if (!rowCount) return
    await audit(tx, { user_id, event: 'erasure_asked' }, now)
    await queue.enqueue(tx, accountMailJob, { kind: 'erasure_asked', email, due_at: due_at.toISOString() })
  })
}

export function cancelErasure({ db, clock, queue }: Needs, { id: user_id, email }: Own): Promise<void> {
  return db.transaction(async (tx) => {
    const isThis = and(eq(erasures.user_id, user_id), isNull(erasures.began_at))
    const { rowCount } = await tx.delete(erasures).where(isThis)
    if (!rowCount) return
    await audit(tx, { user_id, event: 'erasure_canceled' }, clock())
    await queue.enqueue(tx, accountMailJob, { kind: 'erasure_canceled', email })
  })
}
