// Mails to all admins when one is added or removed: a stolen session must not make an admin unseen.
import { and, eq, isNull, lt, ne, or } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import { accountMailJob, type AdminNotice } from './account-mail.ts'
import type { AccountsContext } from './accounts-context.ts'
import { user_roles, users } from './schema.ts'

type Change = { kind: AdminNotice; user_id: string }

/** `user_id` is the account whose right has changed. It gets the mail as well, unless it is new. */
export async function notifyAdmins(
  tx: Transaction,
  { queue, clock }: Pick<AccountsContext, 'queue' | 'clock'>,
  { kind, user_id }: Change,
): Promise<void> {
  const [changed] = await tx.select({ email: users.email }).from(users).where(eq(users.id, user_id))
  if (!changed) throw new Error('the account vanished while its right was changed')
  const isEnabled = or(isNull(users.banned_until), lt(users.banned_until, clock()))
  const others = await tx
    .select({ email: users.email })
    .from(user_roles)
    .innerJoin(users, eq(users.id, user_roles.user_id))
    .where(and(eq(user_roles.role, 'admin'), ne(users.id, user_id), isEnabled))
  const recipients = kind === 'admin_added' ? others : [...others, changed]
  for (const { email } of recipients) {
    await queue.enqueue(tx, accountMailJob, { kind, email, admin: changed.email })
  }
}
