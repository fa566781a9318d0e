// Refunds whose money came back. They need the author's attention: there is no automatic retry.
import { and, eq, sql } from 'drizzle-orm'
import type { ReportedAdjustment } from '#platform/stripe/payments.ts'
import type { Transaction } from '#platform/db/client.ts'
import { failed_refunds, refund_requests } from './schema.ts'

/** Each once; the request that it was made for ends as failed. Returns the ids of new ones. */
export async function recordFailedRefunds(
  tx: Transaction,
  purchase_id: string,
  reportedAdjustments: readonly ReportedAdjustment[],
): Promise<string[]> {
  const added: string[] = []
  for (const { external_id, amount, currency, key, failure } of reportedAdjustments) {
    if (!failure) continue
    const [isNew] = await tx
      .insert(failed_refunds)
      .values({ external_id, purchase_id, amount, currency, reason: failure })
      .onConflictDoNothing()
      .returning({ external_id: failed_refunds.external_id })
    if (!isNew) continue
    added.push(external_id)
    if (key) await failRequest(tx, { purchase_id, key, problem: failure })
  }
  return added
}

/** A refund that was made at the provider may have a key that is none of ours. */
async function failRequest(
  tx: Transaction,
  { purchase_id, key, problem }: { purchase_id: string; key: string; problem: string },
): Promise<void> {
  await tx
    .update(refund_requests)
    .set({ status: 'failed', problem })
    .where(and(eq(refund_requests.purchase_id, purchase_id), sql`${refund_requests.id}::text = ${key}`))
}
