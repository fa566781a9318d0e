// A sign-up that is refused because of another’s leads its owner to that one’s link: then the password of the other does not
// count, except in the browser that chose it.
import type { Transaction } from '#platform/db/client.ts'
import { readWindows, restartWindow } from '#platform/http/rate-limits.ts'
import type { MailShop } from '#domains/mail/shop.ts'
import { mailboxWindow, otherSignUpKey, signUpKey } from './mail-limits.ts'

/** `device`: as `deviceKey` writes it. */
export async function recordSignUp(
  tx: Transaction,
  { email, device }: { email: string; device: string },
  now: Date,
): Promise<void> {
  await restartWindow(tx, signUpKey(email, device), now)
}

/** Clients that send no id of their device share one, empty: each counts as another. */
export async function recordRefusedSignUp(
  { db, clock }: Pick<MailShop, 'db' | 'clock'>,
  { email, device }: { email: string; device: string },
): Promise<void> {
  const now = clock()
  const own = [signUpKey(email, device)]
  const isRepeated = device !== '' && (await readWindows(db, own, mailboxWindow, now)).length > 0
  if (!isRepeated) await restartWindow(db, otherSignUpKey(email), now)
}

export async function isSignUpDisputed(tx: Transaction, email: string, now: Date): Promise<boolean> {
  return (await readWindows(tx, [otherSignUpKey(email)], mailboxWindow, now)).length > 0
}
