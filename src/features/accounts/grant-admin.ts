// The right of an admin, for an account that exists.
import type { Transaction } from '#platform/db/client.ts'
import { Problem } from '../../problems.ts'
import { grantRole } from './accounts.ts'
import type { AccountsContext } from './accounts-context.ts'
import type { users } from './schema.ts'
import { endUnprovenPassword, isUnproven } from './unproven-password.ts'

type User = typeof users.$inferSelect

/**
 * A password that another person may know ends with it: `hasPassword` is false then, and its owner needs a link. Throws
 * users.password_unproven where no mail is sent. The row must be locked.
 */
export async function grantAdmin(
  tx: Transaction,
  { clock, mail }: Pick<AccountsContext, 'clock' | 'mail'>,
  user: User,
): Promise<{ isNew: boolean; hasPassword: boolean }> {
  const isNew = await grantRole(tx, user.id, 'admin')
  if (isNew && isUnproven(user) && mail.isKept()) throw new Problem('users.password_unproven')
  const { password_hash } = isNew ? await endUnprovenPassword(tx, user, clock()) : user
  return { isNew, hasPassword: password_hash !== null }
}
