import { v7 as uuidv7 } from 'uuid'
import type { Transaction } from '#platform/db/client.ts'
import { findOrAddErased } from '#domains/accounts/erased-account.ts'
import { isErasedId } from '#domains/accounts/erased-ids.ts'
import { erasures } from '#tables/erasures.ts'

type Rebuilt = { purchase_id: string; buyer_id: string | null; now: Date }

/**
 * Whose a purchase is that is made again after a restore, where its account was erased; undefined where it was not. What
 * its payment brings of the buyer is erased within hours, or when its parcel is marked as shipped.
 */
export async function findErasedBuyer(
  tx: Transaction,
  { purchase_id, buyer_id, now }: Rebuilt,
): Promise<string | undefined> {
  if (!(await isErasedId(tx, purchase_id))) return undefined
  const user_id = await findOrAddErased(tx, buyer_id ?? uuidv7(), now)
  await tx.insert(erasures).values({ user_id, asked_at: now, due_at: now }).onConflictDoNothing()
  return user_id
}
