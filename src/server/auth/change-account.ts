// What a signed-in person changes of the account: name and other metadata, password, address.
import { sql } from 'drizzle-orm'
import type { Transaction } from '../db/client.ts'
import { users } from '../db/schema/auth.ts'
import { Problem } from '../problem.ts'
import { accountMailJob } from './account-mail.ts'
import { audit, isVerified, updateAccount, type Account } from './accounts.ts'
import { hasSignedInRecently, type SignedInUser } from './guard.ts'
import { forgetOtherDevices } from './known-devices.ts'
import { dropLinks } from './links.ts'
import type { Device, Parts } from './parts.ts'
import { endSessions } from './sessions.ts'
import { isSmall } from './requests.ts'

export type AccountChange = {
  email?: string | undefined
  password?: string | undefined
  current_password?: string | undefined
  /** A null removes its key. */
  data?: Record<string, unknown> | undefined
  /** Where the link in the mail leads in the end. */
  path: string | undefined
}

/**
 * A new password ends all other sessions and all links; a new address counts once its own link was pressed.
 * Throws auth.insufficient_aal, auth.reauthentication_needed, auth.same_password, auth.invalid_credentials.
 */
export async function changeAccount(
  parts: Parts,
  caller: SignedInUser,
  change: AccountChange,
  device: Device,
): Promise<Account> {
  const { db, clock, accounts, limits, passwords, queue } = parts
  const account = await accounts.getById(caller.id)
  const email = change.email === account.email ? undefined : change.email
  const { password, data, path } = change
  if (email || password) await requireStrongSession(parts, caller, account, change.current_password)
  if (password && account.password_hash && (await passwords.isRight(password, account.password_hash))) {
    throw new Problem('auth.same_password')
  }
  if (email) await limits.mail(email, device)
  const password_hash = password && (await passwords.hash(password))

  const now = clock()
  await db.transaction(async (tx) => {
    if (data) await mergeMetadata(tx, account.id, data, now)
    if (password_hash) {
      await updateAccount(tx, account.id, { password_hash }, now)
      await endSessions(tx, { user_id: account.id, except: caller.session_id }, 'password changed', now)
      await dropLinks(tx, account.id, ['recovery', 'email_change'])
      await forgetOtherDevices(tx, account.id, device)
      await audit(tx, { user_id: account.id, event: 'password_changed', ip: device.ip }, now)
      await queue.enqueue(tx, accountMailJob, { kind: 'password_changed', email: account.email })
    }
    if (email) {
      await queue.enqueue(tx, accountMailJob, {
        kind: 'email_change',
        email: account.email,
        new_email: email,
        path,
      })
    }
  })
  return accounts.getById(account.id)
}

/** A stolen session alone must not be enough to take the account over. */
async function requireStrongSession(
  { clock, limits, passwords }: Parts,
  caller: SignedInUser,
  account: Account,
  current_password: string | undefined,
): Promise<void> {
  await limits.password(account.id)
  if (account.factors.some(isVerified) && caller.aal !== 'aal2') throw new Problem('auth.insufficient_aal')
  if (current_password !== undefined) {
    if (await passwords.isRight(current_password, account.password_hash)) return
    throw new Problem('auth.invalid_credentials')
  }
  if (!hasSignedInRecently(caller, clock())) throw new Problem('auth.reauthentication_needed')
}

async function mergeMetadata(tx: Transaction, id: string, data: object, now: Date): Promise<void> {
  const merged = sql`jsonb_strip_nulls(${users.user_metadata} || ${JSON.stringify(data)}::jsonb)`
  const { user_metadata } = await updateAccount(tx, id, { user_metadata: merged }, now)
  if (!isSmall(user_metadata)) throw new Problem('auth.validation_failed')
}
