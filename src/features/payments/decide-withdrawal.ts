// What the author does with a declaration that waits: gives the money back, or refuses where nothing binds.
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { recordPurchaseEvent, type Actor } from '../audit/audit-log.ts'
import { lockPurchase, refundPurchase } from './refunds.ts'
import { isCompleted } from '../purchases/contract/purchases.ts'
import { purchases } from '../purchases/schema.ts'
import { bindingOf } from '../withdrawals/refund-period.ts'
import { withdrawals } from '../withdrawals/schema.ts'
import { storeRefusal } from '../withdrawals/store-withdrawal.ts'
import { withdrawalMailJob } from './withdrawal-email-job.ts'

type Needs = Pick<Services, 'db' | 'queue' | 'payments'>

const bound = {
  promise: 'The promise that was made with this purchase holds, so the money has to go back.',
  law: 'The right of withdrawal may hold for this purchase, so the money has to go back.',
}

/** All that is left, as any refund of the author; the declaration is settled once the money is back. */
export async function giveBack(services: Needs, actor: Actor, purchase_id: string): Promise<void> {
  const { reason } = await services.db.transaction((tx) => lockWaiting(tx, purchase_id))
  const words = ['By the buyer', reason].filter(Boolean).join(': ')
  await refundPurchase(services, actor, { purchase_id, reason: words })
}

/** The buyer gets the sentence by mail, and the purchase back. */
export async function refuseWithdrawal(
  { db, queue }: Needs,
  actor: Actor,
  { purchase_id, sentence }: { purchase_id: string; sentence: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const { binding } = await lockWaiting(tx, purchase_id)
    if (binding) throw new Problem('withdrawals.bound', { detail: bound[binding] })
    await storeRefusal(tx, purchase_id, sentence)
    await queue.enqueue(tx, withdrawalMailJob, { purchase_id, news: 'refused' })
    const detail = { sentence }
    await recordPurchaseEvent(tx, actor, { action: 'withdrawals.refused', purchase_id, detail })
  })
}

/** Throws payments.not_waiting, also while all of the money is on its way back. */
async function lockWaiting(tx: Transaction, purchase_id: string) {
  const purchase = await lockPurchase(tx, purchase_id)
  const [waiting] = await tx
    .select({
      reason: withdrawals.reason,
      binding: bindingOf(sql`${purchases}`, sql`${withdrawals.declared_at}`),
    })
    .from(withdrawals)
    .innerJoin(purchases, eq(purchases.id, withdrawals.purchase_id))
    .where(and(eq(withdrawals.purchase_id, purchase_id), isNull(withdrawals.decided_at)))
  if (!purchase || !waiting || !isCompleted(purchase.status) || purchase.isAllAsked)
    throw new Problem('payments.not_waiting')
  return waiting
}
