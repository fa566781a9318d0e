// An address that was changed stays its account's until the change cannot be undone any more.
import { and, eq, gt, isNotNull, sql } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import { address_changes } from './address-changes-schema.ts'

export const undoMs = 7 * 86_400_000

export const isReserved = (email: string, now: Date) =>
  and(
    sql`lower(${address_changes.old_email}) = lower(${email})`,
    isNotNull(address_changes.confirmed_at),
    gt(address_changes.expires_at, now),
  )

/** The account that had the address. */
export async function findReservingUser(
  tx: Transaction | Db,
  email: string,
  now: Date,
): Promise<string | undefined> {
  const [found] = await tx
    .select({ user_id: address_changes.user_id })
    .from(address_changes)
    .where(isReserved(email, now))
    .limit(1)
  return found?.user_id
}

/** Who has another address confirmed for the account must not get it back once it is an admin's. */
export async function deleteAddressChanges(tx: Transaction, user_id: string): Promise<void> {
  await tx.delete(address_changes).where(eq(address_changes.user_id, user_id))
}
