// Another address of an account: asked for, then confirmed from both mailboxes, in either order. See decision 33.
import { type Transaction, isDuplicate } from '#platform/db/client.ts'
import { accountMailJob } from './account.emails.ts'
import { moveSubscriber } from '#domains/mail/subscribers.ts'
import { isAddress, isTaken, audit, deleteUnconfirmed, updateAccount, accountProblem } from './accounts.ts'
import { addressToCome, missingMailboxes, isElsewhere, noAddressChange } from './pending-address.ts'
import { mailboxes, type AddressLink, type Mailbox } from '#contract/accounts/own-account.ts'
import { linkTypes, addressLinks, dropLinks, hashOf, type takeLink, deviceKey } from './links.ts'
import { and, eq, gt, inArray } from 'drizzle-orm'
import type { AccountsContext } from './accounts-context.ts'
import { endLiving } from './mail-limits.ts'
import { type Device, endSessions } from './sessions.ts'
import { endCredentials } from './admin-rights.ts'
import { lockCaller } from './recent-proof.ts'
import { one_time_tokens, users } from '#tables/accounts.ts'
import { deleteErasure } from './erased-accounts.ts'
import { addressMailJob } from './address-changes.jobs.ts'

type User = typeof users.$inferSelect
type Context = Pick<AccountsContext, 'queue' | 'clock'>

type Request = {
  user: Pick<User, 'id' | 'email'>
  session_id: string
  device: Device
  new_email: string
  path?: string | undefined
}

/** Ends the change that was asked for before, with its links. */
export async function askForAddress(
  tx: Transaction,
  { queue }: Pick<Context, 'queue'>,
  { user: { id: user_id, email }, session_id, device, new_email, path }: Request,
  now: Date,
): Promise<void> {
  const asker = { new_email_session_id: session_id, new_email_device: deviceKey(device) }
  await updateAccount(tx, user_id, { ...noAddressChange, ...asker, new_email, new_email_asked_at: now }, now)
  await dropLinks(tx, user_id, addressLinks)
  await audit(tx, { user_id, event: 'email_change_asked', detail: { to: new_email } }, now)
  for (const mailbox of mailboxes)
    await queue.enqueue(tx, addressMailJob, { email, mailbox, new_email, path })
}

/** Mails the links that are missing, each counted for the mailbox that it goes to. */
export async function mailAddressLinksAgain(
  { db, accounts, limitMail, queue, clock }: AccountsContext,
  { email, path, device }: { email: string; path: string | undefined; device: Device },
): Promise<void> {
  const purpose = 'changed_address'
  const account = await accounts.findByEmail(email)
  const new_email = account && addressToCome(account, clock())
  if (!account || !new_email) {
    await limitMail({ email, purpose }, device)
    return
  }
  const missing = missingMailboxes(account)
  for (const mailbox of missing)
    await limitMail({ email: mailbox === 'new' ? new_email : email, purpose }, device)
  for (const mailbox of missing)
    await queue.enqueue(db, addressMailJob, { email, mailbox, new_email, path, isAgain: true })
}

/** Its links are refused from then on. */
export async function cancelAddressChange(
  { db, clock }: Pick<AccountsContext, 'db' | 'clock'>,
  caller: { id: string; session_id: string },
): Promise<void> {
  const now = clock()
  await db.transaction(async (tx) => {
    const { user } = await lockCaller(tx, caller, now)
    await updateAccount(tx, user.id, noAddressChange, now)
    await dropLinks(tx, user.id, addressLinks)
  })
}

/** Tells a page about its link before it is used. */
export async function findAddressLink(
  { db, clock }: Pick<AccountsContext, 'db' | 'clock'>,
  token: string,
  device: Device,
): Promise<AddressLink> {
  const now = clock()
  const { hash, type, expires_at, user_id } = one_time_tokens
  const [row] = await db
    .select({ link: one_time_tokens, user: users })
    .from(one_time_tokens)
    .innerJoin(users, eq(users.id, user_id))
    .where(and(eq(hash, hashOf(token)), inArray(type, addressLinks), gt(expires_at, now)))
  const new_email = row && readChange(row, now)
  if (!row || !new_email) throw accountProblem('auth.otp_expired')
  const mailbox = mailboxOf(row.link)
  const presser = mailbox === 'new' ? deviceKey(device) : row.user.new_email_pressed_by
  return {
    mailbox,
    new_email,
    is_last: missingMailboxes(row.user).length === 1,
    is_elsewhere: presser !== null && isElsewhere(row.user, presser),
  }
}

type ConsumedLink = Awaited<ReturnType<typeof takeLink>>

function mailboxOf({ type }: Pick<ConsumedLink['link'], 'type'>): Mailbox {
  return type === 'email_change_new' ? 'new' : 'current'
}

/** The new address, while the link is of the change that waits. */
function readChange({ link, user }: ConsumedLink, now: Date): string | undefined {
  const new_email = addressToCome(user, now)
  const mailbox = mailboxOf(link) === 'new' ? new_email : user.email
  return link.email === mailbox ? new_email : undefined
}

/** A reader with the old mailbox only is not signed in. `recovery` leads to a new password. */
export type Confirmed = 'otp' | 'recovery' | 'changed' | 'waits'

export async function confirmMailbox(
  tx: Transaction,
  context: Context,
  { taken, device }: { taken: ConsumedLink; device: Device },
  now: Date,
): Promise<Confirmed> {
  const { link, user } = taken
  const new_email = readChange(taken, now)
  if (!new_email) throw accountProblem('auth.otp_expired')
  const mailbox = mailboxOf(link)
  // The old mailbox learns it no sooner than the new one has confirmed: who asks must not find out who has an account.
  if (mailbox === 'new' && (await isTaken(tx, new_email))) throw accountProblem('auth.email_exists')
  const pressed =
    mailbox === 'new' ? { new_email_pressed_by: deviceKey(device) } : { old_email_confirmed_at: now }
  const saved = await saveConfirmation(tx, user, { mailbox, pressed }, now)
  if (missingMailboxes(saved).length > 0) return 'waits'
  const { endsCredentials } = await changeAddress(tx, context, saved, now)
  if (mailbox === 'current') return 'changed'
  return endsCredentials ? 'recovery' : 'otp'
}

/** The author stands in for a mailbox that the owner has lost. The row must be locked. */
export async function confirmForOwner(
  tx: Transaction,
  context: Context,
  { user, new_email }: { user: User; new_email: string },
  now: Date,
): Promise<void> {
  const isWaiting = addressToCome(user, now) === new_email && user.old_email_confirmed_at === null
  if (!isWaiting) throw accountProblem('users.no_address_change')
  const confirmation = { mailbox: 'current' as const, pressed: { old_email_confirmed_at: now }, by: 'admin' }
  const saved = await saveConfirmation(tx, user, confirmation, now)
  if (missingMailboxes(saved).length === 0) await changeAddress(tx, context, saved, now)
}

type Confirmation = {
  mailbox: Mailbox
  pressed: { new_email_pressed_by: string } | { old_email_confirmed_at: Date }
  by?: string
}

async function saveConfirmation(
  tx: Transaction,
  { id: user_id }: User,
  { pressed, ...detail }: Confirmation,
  now: Date,
): Promise<User> {
  await dropLinks(tx, user_id, [detail.mailbox === 'new' ? 'email_change_new' : 'email_change_current'])
  await audit(tx, { user_id, event: 'email_change_confirmed', detail }, now)
  return updateAccount(tx, user_id, pressed, now)
}

/**
 * Keeps nothing that the asker may know or have added, where the link to the new address was pressed in another browser than
 * the asker's: a stranger may have been brought to press it. Else the asker's session goes on.
 */
async function changeAddress(tx: Transaction, { queue, clock }: Context, user: User, now: Date) {
  const { id: user_id, email: from, new_email: to, new_email_pressed_by, new_email_session_id } = user
  if (to === null || new_email_pressed_by === null) throw new Error('the change is not confirmed')
  if (await isTaken(tx, to)) throw accountProblem('auth.email_exists')
  await deleteUnconfirmed(tx, isAddress(to))
  await endLiving(tx, to, linkTypes)
  const endsCredentials = isElsewhere(user, new_email_pressed_by)
  if (endsCredentials) {
    await endCredentials(tx, user, 'email changed', now)
    // The asker may have asked for it, too.
    await deleteErasure(tx, user_id)
  } else {
    const except = new_email_session_id ?? undefined
    await endSessions(tx, { user_id, ...(except && { except }) }, 'email changed', now)
    await dropLinks(tx, user_id, ['magiclink', 'recovery', ...addressLinks])
  }
  // The row is locked, so that this comes later than any session that a link to the old address has opened.
  const password = endsCredentials
    ? { password_hash: null, password_unproven_since: null }
    : { password_unproven_since: clock() }
  await updateAccount(tx, user_id, { ...noAddressChange, ...password, email: to }, now).catch(refuseTaken)
  await moveSubscriber(tx, { from, to }, now)
  await audit(tx, { user_id, event: 'email_changed', detail: { from, to } }, now)
  for (const email of [from, to])
    await queue.enqueue(tx, accountMailJob, { kind: 'email_changed', email, new_email: to, endsCredentials })
  return { endsCredentials }
}

function refuseTaken(error: unknown): never {
  throw isDuplicate(error, 'users_email') ? accountProblem('auth.email_exists') : error
}
