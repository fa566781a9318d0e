// Who bought what an erased account has paid for: shown only where an authority asks, and each look is logged.
import { eq } from 'drizzle-orm'
import { operationProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import type { Actor } from '#platform/audit-log.ts'
import { recordPurchaseEvent } from '#domains/orders/record-purchase-event.ts'
import type { LockedBuyer } from '#contract/operations/erasures.ts'
import { locked_buyers } from '#tables/erasures.ts'

export function readLockedBuyer(
  { db }: Pick<Services, 'db'>,
  actor: Actor,
  purchase_id: string,
): Promise<LockedBuyer> {
  return db.transaction(async (tx) => {
    const [found] = await tx.select().from(locked_buyers).where(eq(locked_buyers.purchase_id, purchase_id))
    if (!found) throw operationProblem('purchases.not_locked')
    await recordPurchaseEvent(tx, actor, { action: 'purchases.buyer_shown', purchase_id })
    return { ...found.buyer, locked_until: found.locked_until.toISOString() }
  })
}
