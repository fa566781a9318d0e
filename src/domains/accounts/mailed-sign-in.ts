// A mailed link or code proves the mailbox, so the user is signed in.
import type { Transaction } from '#platform/db/client.ts'
import { type Account, hasBought, updateAccount } from './accounts.ts'
import type { AccountsContext } from './accounts-context.ts'
import { type Device, openSession, type Session } from './sessions.ts'
import { isSignUpDisputed } from './disputed-sign-ups.ts'
import { makeNetworkOwn } from './mail-limits.ts'
import { deviceKey, dropLinks, hashOf, takeLink, type LinkType, findCoded, type CodeType } from './links.ts'
import { confirmMailbox, type Confirmed } from './address-changes.ts'

type ConsumedLink = Awaited<ReturnType<typeof takeLink>>
type SignedIn = { session: Session; account: Account }

/** `waits` for the other mailbox of a changed address; a reader with only the old one gets no session. */
type Pressed = SignedIn | { session: undefined; account: Account } | 'waits'

type Link = { types: readonly LinkType[]; token: string; device: Device }

export function pressLink(context: AccountsContext, { token, ...link }: Link): Promise<Pressed> {
  return press(context, { ...link, hash: hashOf(token), isCode: false })
}

type Code = { email: string; code: string; types: CodeType[]; device: Device }

export async function giveMailedCode(context: AccountsContext, code: Code): Promise<Pressed> {
  const { type, hash } = await findCoded(context, code)
  return press(context, { types: [type], hash, device: code.device, isCode: true })
}

type Press = { types: readonly LinkType[]; hash: Buffer; device: Device; isCode: boolean }

async function press(context: AccountsContext, { types, hash, device, isCode }: Press): Promise<Pressed> {
  const now = context.clock()
  const { user_id, effect, session } = await context.db.transaction(async (tx) => {
    const taken = await takeLink(tx, types, hash, now)
    const effect = await effects[taken.link.type](tx, taken, { now, device, context })
    if (isCode || isOfSignIn(taken.link)) await makeNetworkOwn(tx, { ...taken.link, ...device }, now)
    const user_id = taken.user.id
    if (effect === 'waits' || effect === 'changed') return { user_id, effect, session: undefined }
    return { user_id, effect, session: await openSession(tx, { user_id, method: effect, device, now }) }
  })
  if (effect === 'waits') return effect
  return { session, account: await context.accounts.getById(user_id) }
}

/** False for a gift, which may be passed on, and a sign-up, which anybody begins with any address. */
function isOfSignIn({ type, code_device }: ConsumedLink['link']): boolean {
  return type === 'recovery' || (type === 'magiclink' && code_device !== null)
}

const effects = {
  signup: confirm,
  magiclink: recover,
  recovery: recover,
  email_change_current: changeEmail,
  email_change_new: changeEmail,
}

type Circumstances = { now: Date; device: Device; context: AccountsContext }

/**
 * A sign-up with the address of somebody who has bought would get the purchases, were its link pressed by mistake: its
 * password and name count only in the browser that signed up. So they do where another browser was refused a sign-up with
 * this address and told of this link: its owner would take the password of whoever was first.
 */
async function confirm(
  tx: Transaction,
  { link, user }: ConsumedLink,
  { now, device }: Circumstances,
): Promise<Confirmed> {
  const own = deviceKey(device)
  const isOfBrowser = own !== '' && link.code_device === own
  const isOwner = async () =>
    !(await hasBought(tx, user.id)) && !(await isSignUpDisputed(tx, link.email, now))
  const chosen = isOfBrowser || (await isOwner()) ? link : undefined
  const { password_hash = null, user_metadata } = chosen ?? {}
  const change = { password_hash, user_metadata: user_metadata ?? {}, email_confirmed_at: now }
  await updateAccount(tx, user.id, change, now)
  await dropLinks(tx, user.id, ['signup', 'magiclink'])
  return 'otp'
}

/** Confirms an address, too, and then forgets the password and name chosen at the sign-up. */
async function recover(
  tx: Transaction,
  { link, user }: ConsumedLink,
  { now }: Circumstances,
): Promise<Confirmed> {
  if (!user.email_confirmed_at)
    await updateAccount(tx, user.id, { password_hash: null, user_metadata: {}, email_confirmed_at: now }, now)
  await dropLinks(tx, user.id, ['signup', 'magiclink', 'recovery'])
  return link.type === 'recovery' ? 'recovery' : 'otp'
}

function changeEmail(
  tx: Transaction,
  taken: ConsumedLink,
  { now, device, context }: Circumstances,
): Promise<Confirmed> {
  return confirmMailbox(tx, context, { taken, device }, now)
}
