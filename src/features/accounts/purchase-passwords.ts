// A password that is chosen after a payment with an address only. It opens that purchase and makes no session, since the
// buyer may have given a stranger's address. It ends when the address is confirmed (updateAccount): the account keeps it only
// where the browser that chose it also had the mail.
import { and, eq, isNull, lte, or } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import { Problem } from '../../problems.ts'
import { isAddress, lockUser } from './accounts.ts'
import type { AccountsContext } from './accounts-context.ts'
import type { Device } from './devices.ts'
import { recordRefusedSignIn } from './limits.ts'
import { deviceKey } from './mailed-codes.ts'
import { purchase_passwords, users } from './schema.ts'
import { isRightOrUnlimited } from './sign-in.ts'

type Choice = { user_id: string; purchase_id: string; password: string; device: Device }

/** Throws guest_checkout.password_not_offered once the address is confirmed. */
export async function choosePurchasePassword(
  { db, clock, passwords }: AccountsContext,
  { user_id, purchase_id, password, device }: Choice,
): Promise<void> {
  const password_hash = await passwords.hash(password)
  const chosen = { purchase_id, password_hash, device: deviceKey(device), created_at: clock() }
  await db.transaction(async (tx) => {
    const user = await lockUser(tx, eq(users.id, user_id))
    if (!user || user.email_confirmed_at) throw new Problem('guest_checkout.password_not_offered')
    await tx
      .insert(purchase_passwords)
      .values({ user_id, ...chosen })
      .onConflictDoUpdate({ target: purchase_passwords.user_id, set: chosen })
  })
}

/** The purchase that it opens. Takes as long for an unknown address as for any other. */
export async function findByPurchasePassword(
  { db, clock, limits, passwords }: AccountsContext,
  { email, password }: { email: string; password: string },
  device: Device,
): Promise<string> {
  // Counted apart from sign-ins: the browser tries those first, with the same password.
  const attempt = await limits.signIn(`purchase of ${email}`, device)
  const now = clock()
  const isEnabled = or(isNull(users.banned_until), lte(users.banned_until, now))
  const [chosen] = await db
    .select({
      purchase_id: purchase_passwords.purchase_id,
      password_hash: purchase_passwords.password_hash,
    })
    .from(purchase_passwords)
    .innerJoin(users, eq(users.id, purchase_passwords.user_id))
    .where(and(isAddress(email), isNull(users.email_confirmed_at), isEnabled))
  const isRight = await isRightOrUnlimited({ passwords, attempt }, password, chosen?.password_hash)
  if (!chosen || !isRight) {
    await recordRefusedSignIn(db, { event: 'sign_in_failed', email, network: device.network }, now)
    throw new Problem('auth.invalid_credentials')
  }
  await attempt.release()
  return chosen.purchase_id
}

/** Null where another browser confirms the address, or one without an id. */
export async function findOwnPassword(
  tx: Transaction,
  user_id: string,
  device: Device,
): Promise<string | null> {
  const own = deviceKey(device)
  if (!own) return null
  const [chosen] = await tx
    .select({ password_hash: purchase_passwords.password_hash })
    .from(purchase_passwords)
    .where(and(eq(purchase_passwords.user_id, user_id), eq(purchase_passwords.device, own)))
  return chosen?.password_hash ?? null
}
