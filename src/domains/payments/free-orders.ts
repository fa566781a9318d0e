// Free orders that are taken back: by their reader before the day of the book, or by the author before the parcel leaves.
import { eq, sql } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import type { Services } from '#platform/services.ts'
import type { Actor } from '#platform/audit-log.ts'
import { purchases } from '#tables/orders.ts'
import { checkouts } from '#tables/payments.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import { recordPurchaseEvent, updatePurchase } from '#domains/orders/purchase-changes.ts'
import { isBeforeRelease, isFreeOrder } from '#domains/orders/refund-right.ts'
import { refundMailJob } from './adjustments.ts'

type TakenBack = { purchase_id: string; is_by_buyer: boolean }

/** The purchase must be locked. Its status takes it out of the sums, the parcels and the stock, as with a free copy. */
export async function takeFreeOrderBack(
  tx: Transaction,
  queue: Services['queue'],
  actor: Actor,
  { purchase_id, is_by_buyer }: TakenBack,
): Promise<void> {
  const purchase = sql`${purchases}`
  const [order] = await tx
    .select({
      status: purchases.status,
      is_free: isFreeOrder(purchase),
      is_early: isBeforeRelease(purchase, sql`clock_timestamp()`),
    })
    .from(purchases)
    .where(eq(purchases.id, purchase_id))
  // Another press of the same button has taken effect.
  if (is_by_buyer && order?.status === 'canceled') return
  if (!order?.is_free) throw orderProblem('purchases.not_refundable', is_by_buyer ? {} : { detail: over })
  if (is_by_buyer && !order.is_early) throw orderProblem('purchases.not_refundable')
  await updatePurchase(tx, purchase_id, { status: 'canceled' })
  // A promotion code of Stripe leaves a checkout that is paid: its events must not bring the order back.
  await tx
    .update(checkouts)
    .set({ dismissed_at: sql`clock_timestamp()`, next_check_at: null })
    .where(eq(checkouts.purchase_id, purchase_id))
  if (!is_by_buyer) await queue.enqueue(tx, refundMailJob, { taken_back: purchase_id })
  await recordPurchaseEvent(tx, actor, { action: 'purchases.taken_back', purchase_id })
}

const over = 'This is no free order that can be taken back.'
