// The writes to rows of purchases, each with its event.
import { eq } from 'drizzle-orm'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { recordAuditEvent, type Actor, type AuditEvent } from '#platform/audit-log.ts'
import type { Transaction } from '#platform/db/client.ts'
import { purchases, subscription_requests } from '#tables/orders.ts'
import { orderProblem } from './problem.ts'

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
    'status' | 'amount' | 'link_tax' | 'country' | 'code_id' | 'user_id' | 'idempotency_key'
  >
>

/** Undefined leaves a column as it is. The row must be locked. */
export async function updatePurchase(tx: Transaction, id: string, change: PurchaseChange): Promise<void> {
  await tx.update(purchases).set(change).where(eq(purchases.id, id))
  if (change.status === 'canceled')
    await tx.delete(subscription_requests).where(eq(subscription_requests.purchase_id, id))
}
