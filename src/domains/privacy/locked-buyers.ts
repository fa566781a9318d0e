// Buyers of what an erased account has paid for are shown only where an authority asks, and each look is logged.
import { eq } from 'drizzle-orm'
import type { BackupShop } from '#domains/backup/shop.ts'
import { privacyProblem } from './problem.ts'
import type { LockedBuyer } from '#contract/privacy/erasures.ts'
import { locked_buyers } from '#tables/privacy.ts'
import type { Actor } from '#platform/audit-log.ts'
import { recordPurchaseEvent } from '#domains/orders/purchase-changes.ts'

export function readLockedBuyer({ db }: BackupShop, actor: Actor, purchase_id: string): Promise<LockedBuyer> {
  return db.transaction(async (tx) => {
    const [row] = await tx.select().from(locked_buyers).where(eq(locked_buyers.purchase_id, purchase_id))
    if (!row) throw privacyProblem('purchases.not_locked')
    await recordPurchaseEvent(tx, actor, { action: 'purchases.buyer_shown', purchase_id })
    return { ...row.buyer, locked_until: row.locked_until.toISOString() }
  })
}
