// The change of an account’s address that waits for its mailboxes, as the account’s row has it.
import { dayMs } from '#contract/durations.ts'
import { mailboxes, type Mailbox } from '#contract/accounts/own-account.ts'
import type { users } from '#tables/accounts.ts'

type User = typeof users.$inferSelect

export const noAddressChange = {
  new_email: null,
  new_email_asked_at: null,
  new_email_session_id: null,
  new_email_device: null,
  new_email_pressed_by: null,
  old_email_confirmed_at: null,
}

/** A change ends a day after it was asked for. */
export function addressChangeEnd({ new_email_asked_at }: Pick<User, 'new_email_asked_at'>): Date {
  return new Date((new_email_asked_at?.getTime() ?? 0) + dayMs)
}

export function addressToCome(
  { new_email, ...user }: Pick<User, 'new_email' | 'new_email_asked_at'>,
  now: Date,
): string | undefined {
  return new_email && addressChangeEnd(user) > now ? new_email : undefined
}

/** Those that have not confirmed it yet. */
export function missingMailboxes({
  new_email_pressed_by,
  old_email_confirmed_at,
}: Pick<User, 'new_email_pressed_by' | 'old_email_confirmed_at'>): Mailbox[] {
  const isMissing = { current: old_email_confirmed_at === null, new: new_email_pressed_by === null }
  return mailboxes.filter((mailbox) => isMissing[mailbox])
}

/** A press in another browser than the one that asked: what that one has chosen may be a stranger's. */
export function isElsewhere({ new_email_device }: Pick<User, 'new_email_device'>, presser: string): boolean {
  return presser !== (new_email_device ?? '')
}
