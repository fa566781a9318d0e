// What writes rows of purchases, their refusals, and SQL of their sums by day.
import { eq, sql, type SQL } from 'drizzle-orm'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { recordAuditEvent, type Actor, type AuditEvent } from '#platform/audit-log.ts'
import type { Transaction } from '#platform/db/client.ts'
import { purchases, type sales_day } from '#tables/orders.ts'
import { orderRefusals } from '#contract/refusals.ts'
import { problems } from '#platform/problem.ts'

export async function recordPurchaseEvent(
  tx: Transaction,
  actor: Actor,
  { purchase_id, ...event }: Pick<AuditEvent, 'action' | 'detail'> & { purchase_id: string },
): Promise<void> {
  const [purchase] = await tx
    .select({ number: purchases.number })
    .from(purchases)
    .where(eq(purchases.id, purchase_id))
  if (!purchase) throw orderProblem('purchases.not_found')
  const subject = formatOrderNumber(purchase.number)
  await recordAuditEvent(tx, actor, { ...event, subject, subject_id: purchase_id })
}

type PurchaseChange = Partial<
  Pick<
    typeof purchases.$inferInsert,
    'status' | 'amount' | 'country' | 'code_id' | 'user_id' | 'idempotency_key'
  >
>

/** Undefined leaves a column as it is. The row must be locked. */
export async function updatePurchase(tx: Transaction, id: string, change: PurchaseChange): Promise<void> {
  await tx.update(purchases).set(change).where(eq(purchases.id, id))
}

/** Those that `isTest` says are in no sum from then on. Resolves to how many there are. */
export async function markAsTests(tx: Transaction, isTest: SQL): Promise<number> {
  const { rowCount } = await tx.execute(sql`
    update purchases set is_test = true where not is_test and ${isTest}`)
  return rowCount ?? 0
}

export const orderProblem = problems(orderRefusals)

// SQL of the sums of days, which triggers maintain: the cost of a figure grows with the days that it reads, not with the
// number of purchases.

type Sum = Exclude<keyof typeof sales_day.$inferSelect, 'day' | 'product_id' | 'shard'>

/** Of rows `s`; `isCounted` narrows them. `revenue` is what was sold on their days less what was refunded on them. */
export function daySum(name: Sum, isCounted?: SQL): SQL<number> {
  const only = isCounted ? sql` filter (where ${isCounted})` : sql``
  return sql<number>`coalesce(sum(s.${sql.identifier(name)})${only}, 0)`
}

/** Each under its own name. */
export function daySums(...names: Sum[]): SQL {
  return sql.join(
    names.map((name) => sql`${daySum(name)} as ${sql.identifier(name)}`),
    sql`, `,
  )
}
