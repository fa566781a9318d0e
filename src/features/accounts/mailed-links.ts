// Which link, if any, an address gets that one was asked for. Only the mail job knows the response.
import { eq } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import { pending_sign_ups } from './schema.ts'
import { PermanentFailure } from '#platform/job.ts'
import type { AskedLink } from './asked-link.ts'
import { insertAccount, isTaken, lockUser, updateAccount } from './accounts.ts'
import { addressToCome, makeLink, type LinkType, type NewLink } from './links.ts'

/** The address it goes to, whether an account has confirmed that one, and what the link leads with. */
export type MailedLink = {
  type: LinkType
  email: string
  isConfirmed: boolean
  display_name: string | undefined
  token: string
}

type SignUp = Extract<AskedLink, { kind: 'sign_up' }>
type User = NonNullable<Awaited<ReturnType<typeof lockUser>>>

/** `exists`: a sign-up with an address that has an account. `nobody`: there is nothing to send. */
export async function makeAskedLink(
  tx: Transaction,
  asked: AskedLink,
  now: Date,
): Promise<MailedLink | 'exists' | 'nobody'> {
  if (asked.kind === 'sign_up') await signUp(tx, asked, now)
  const user = await lockUser(tx, asked.email)
  if (!user) return 'nobody'
  if (asked.kind === 'sign_up' && user.email_confirmed_at) return 'exists'
  const link = await linkFor(tx, user, asked, now)
  if (!link) return 'nobody'
  const token = await makeLink(tx, { user_id: user.id, ...link }, now)
  const { display_name } = user.user_metadata
  const isConfirmed = user.email_confirmed_at !== null && link.email === user.email
  return { type: link.type, email: link.email, isConfirmed, display_name, token }
}

async function linkFor(
  tx: Transaction,
  user: User,
  asked: AskedLink,
  now: Date,
): Promise<Omit<NewLink, 'user_id'> | undefined> {
  const { email, email_confirmed_at, password_hash, user_metadata } = user
  if (asked.kind === 'recovery' || asked.kind === 'invitation') return { type: 'recovery', email }
  if (asked.kind === 'sign_up' || asked.kind === 'verify_again') {
    return email_confirmed_at ? undefined : { type: 'signup', email, password_hash, user_metadata }
  }
  const wanted = addressToCome(user, now)
  // Another may have been asked for, or the password changed, since this mail was.
  if (asked.kind === 'email_change' && asked.new_email !== wanted) return undefined
  if (wanted === undefined || (await isTaken(tx, wanted))) return undefined
  return { type: 'email_change', email: wanted }
}

/**
 * Each sign-up's password and name travel with its own link and count only when that one is pressed: else the one who
 * signs up with a stranger's address first would know the password of the account that the stranger confirms later.
 * The user's own are the newest sign-up's; a sign-in before the verification is compared with those.
 */
async function signUp(tx: Transaction, { id, email }: SignUp, now: Date): Promise<void> {
  const [pending] = await tx.select().from(pending_sign_ups).where(eq(pending_sign_ups.id, id))
  if (!pending) throw new PermanentFailure('nothing is known any more of this sign-up')
  const { password_hash, user_metadata } = pending
  const made = await insertAccount(tx, {
    id,
    email,
    password_hash,
    user_metadata,
    email_confirmed_at: null,
    now,
  })
  const user = made ? undefined : await lockUser(tx, email)
  if (user && !user.email_confirmed_at)
    await updateAccount(tx, user.id, { password_hash, user_metadata }, now)
}

export async function forgetSignUp(db: Db, id: string): Promise<void> {
  await db.delete(pending_sign_ups).where(eq(pending_sign_ups.id, id))
}
