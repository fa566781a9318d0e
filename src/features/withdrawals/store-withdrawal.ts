// What is stored of a declaration. The row of its purchase must be locked.
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import type { WaitingReason } from './contract/withdrawals.ts'
import { withdrawals } from './schema.ts'

/** `clock_timestamp`: a transaction that had to wait for another declaration has begun before it. */
const now = sql`clock_timestamp()`

export async function insertWithdrawal(
  tx: Transaction,
  declared: { purchase_id: string; reason: string; waits_for: WaitingReason | null },
): Promise<void> {
  const decided = declared.waits_for ? {} : { decision: 'given' as const, decided_at: now }
  await tx.insert(withdrawals).values({ ...declared, declared_at: now, ...decided })
}

/** The money did not arrive, and the author decides now. */
export async function reopenWithdrawal(
  tx: Transaction,
  purchase_id: string,
  waits_for: WaitingReason,
): Promise<void> {
  await tx
    .update(withdrawals)
    .set({ waits_for, decision: null, decided_at: null })
    .where(eq(withdrawals.purchase_id, purchase_id))
}

export async function storeRefusal(tx: Transaction, purchase_id: string, refusal: string): Promise<void> {
  await tx
    .update(withdrawals)
    .set({ decision: 'refused', refusal, decided_at: now })
    .where(eq(withdrawals.purchase_id, purchase_id))
}

/** The money is back with its buyer, whoever gave it. */
export async function closeWithdrawal(tx: Transaction, purchase_id: string): Promise<void> {
  await tx
    .update(withdrawals)
    .set({ decision: 'given', decided_at: now })
    .where(and(eq(withdrawals.purchase_id, purchase_id), isNull(withdrawals.decided_at)))
}
