// A mailed link or code proves the mailbox, so the user is signed in.
import type { Transaction } from '#platform/db/client.ts'
import { confirmAddress } from './address-changes.ts'
import { hasBought, updateAccount, type Account } from './accounts.ts'
import { dropLinks, hashOf, takeLink, type LinkType } from './links.ts'
import { deviceKey, findCoded, type CodeType } from './mailed-codes.ts'
import type { Device } from './devices.ts'
import type { AccountsContext } from './accounts-context.ts'
import { openSession, type Session } from './sessions.ts'

type Taken = Awaited<ReturnType<typeof takeLink>>
type SignedIn = { session: Session; account: Account }

type Link = { type: LinkType; token: string; device: Device }

export function pressLink(context: AccountsContext, { token, ...link }: Link): Promise<SignedIn> {
  return press(context, { ...link, hash: hashOf(token) })
}

type Code = { email: string; code: string; types: CodeType[]; device: Device }

export async function giveMailedCode(context: AccountsContext, given: Code): Promise<SignedIn> {
  return press(context, { ...(await findCoded(context, given)), device: given.device })
}

type Press = { type: LinkType; hash: Buffer; device: Device }

async function press(context: AccountsContext, { type, hash, device }: Press): Promise<SignedIn> {
  const now = context.clock()
  const session = await context.db.transaction(async (tx) => {
    const taken = await takeLink(tx, type, hash, now)
    await effects[type](tx, taken, { now, device, context })
    const method = type === 'recovery' ? 'recovery' : 'otp'
    return openSession(tx, { user_id: taken.user.id, method, device, now })
  })
  return { session, account: await context.accounts.getById(session.user_id) }
}

const effects = { signup: confirm, magiclink: recover, recovery: recover, email_change: changeEmail }

type Pressed = { now: Date; device: Device; context: AccountsContext }

/**
 * A sign-up with the address of somebody who has bought would get the purchases, were its link pressed by mistake: its
 * password and name count only in the browser that signed up.
 */
async function confirm(tx: Transaction, { link, user }: Taken, { now, device }: Pressed): Promise<void> {
  const own = deviceKey(device)
  const isOfBrowser = own !== '' && link.code_device === own
  const chosen = isOfBrowser || !(await hasBought(tx, user.id)) ? link : undefined
  const { password_hash = null, user_metadata } = chosen ?? {}
  const change = { password_hash, user_metadata: user_metadata ?? {}, email_confirmed_at: now }
  await updateAccount(tx, user.id, change, now)
  await dropLinks(tx, user.id, ['signup', 'magiclink'])
}

/** Also confirms an address, and then forgets the password and name chosen at the sign-up. */
async function recover(tx: Transaction, { user }: Taken, { now }: Pressed): Promise<void> {
  if (!user.email_confirmed_at)
    await updateAccount(tx, user.id, { password_hash: null, user_metadata: {}, email_confirmed_at: now }, now)
  await dropLinks(tx, user.id, ['signup', 'magiclink', 'recovery'])
}

function changeEmail(tx: Transaction, taken: Taken, { now, context }: Pressed): Promise<void> {
  return confirmAddress(tx, taken, context, now)
}
