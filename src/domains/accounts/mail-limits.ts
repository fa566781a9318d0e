// The limits of emails that strangers can have mailed to one mailbox, and what its owner gets meanwhile (decision 28). The
// mailbox that is written to counts, whatever asks for it. A request does the same work whether or not the address has an
// account.
import { sql } from 'drizzle-orm'
import { daySeconds, hourSeconds } from '#contract/durations.ts'
import type { Transaction } from '#platform/db/client.ts'
import { widerNetworks } from '#platform/http/client-ip.ts'
import {
  consumeLimit,
  deleteLimits,
  readWindows,
  restartWindow,
  type Limit,
  type Window,
} from '#platform/http/rate-limits.ts'
import { Problem } from '#platform/problem.ts'
import { Postponed } from '#platform/queue.ts'
import { responsesTexts } from '#words/refusals.ts'
import { currentLocale, fill } from '#words/texts.ts'
import type { MailShop } from '#domains/mail/shop.ts'
import { accountProblem, isAddress } from './accounts.ts'
import { findKnownDevice, type Device } from './sessions.ts'
import { type one_time_tokens, users } from '#tables/accounts.ts'

type LinkType = typeof one_time_tokens.$inferSelect.type

/** Hours for every sender alike: a shorter time would tell strangers that a mailbox has an owner here. */
export const linkHours: Record<LinkType, number> = {
  signup: 24,
  magiclink: 1,
  recovery: 1,
  email_change_current: 24,
  email_change_new: 24,
}

/** Each of these mails has a link by which its owner gets in: one of a purpose is alive at a time. */
const entries = ['sign_in', 'find_purchase', 'new_password', 'sign_up', 'sign_up_again'] as const
type Entry = (typeof entries)[number]

type MailPurpose = Entry | 'proof' | 'changed_address' | 'tell_me' | 'letters' | 'excerpt' | 'withdrawal'

const isEntry = (purpose: MailPurpose): purpose is Entry => entries.some((entry) => entry === purpose)

export const mailLimits = {
  byNetwork: { limit: 200, windowSeconds: hourSeconds },
  byAddressAndNetwork: { limit: 4, windowSeconds: hourSeconds },
  /** The part of the twelve emails a day to one address that strangers can ask for. */
  byStrangers: { limit: 7, windowSeconds: daySeconds },
  /** The other five: one of each purpose by which its owner gets in. Its link works until the next may be sent. */
  lastOfDay: { limit: 1, windowSeconds: daySeconds },
  byOwnNetworks: { limit: 12, windowSeconds: daySeconds },
  byKnownDevice: { limit: 4, windowSeconds: hourSeconds },
  byKnownDevices: { limit: 12, windowSeconds: daySeconds },
  /** The limit counts addresses with neither account nor purchase, without sign-ups, which have a limit of their own. */
  unknownByNetwork: { limit: 60, windowSeconds: 600 },
} satisfies Record<string, Limit>

/** Facts about a mailbox are stored for longer than other limits. */
export const mailboxPrefix = 'auth:mailbox:'
export const mailboxDays = 90
export const mailboxWindow = { limit: 1, windowSeconds: mailboxDays * daySeconds }

const ownNetworkKey = (email: string, network: string) => `${mailboxPrefix}own ${email} ${network}`
export const signUpKey = (email: string, device: string) => `${mailboxPrefix}sign_up ${email} ${device}`
export const otherSignUpKey = (email: string) => `${mailboxPrefix}other_sign_up ${email}`
/** What no mail server took is in no mailbox: it keeps no later one from being sent, once there is a server. */
const livingKey = (entry: Entry, email: string, isSent: boolean) =>
  `auth:mail:${isSent ? 'living' : 'written'} ${entry} ${email}`
const lastKey = (entry: Entry, email: string) => `auth:mail:last ${entry} ${email}`

const linkOf = {
  sign_in: 'magiclink',
  find_purchase: 'magiclink',
  new_password: 'recovery',
  sign_up: 'signup',
  sign_up_again: 'signup',
} as const satisfies Record<Entry, LinkType>

/** `emails`: how many the request may send, where it may be more than one. */
export type MailRequest = { email: string; purpose: MailPurpose; emails?: number }

/** `hours`: how long the link of the mail has to work, where it is longer than usual. Then it is one email alone. */
export type MailAllowance = { hours?: number }

/**
 * Throws a 429 with the seconds to wait; what is refused counts nowhere. A known device, and a network from which a mail to
 * this address was redeemed, have limits of their own.
 */
export async function limitMail(
  { db, config, clock, settings, mail }: MailShop,
  { email, purpose, emails = 1 }: MailRequest,
  device: Device,
): Promise<MailAllowance> {
  if (!config.hasRateLimits) return {}
  const now = clock()
  const knownDevice = await findKnownDevice(db, email, device, now)
  // An email that is kept is in no mailbox.
  const time_zone = mail.sendsMail() ? settings.get().shop.time_zone : undefined
  return db.transaction(async (tx) => {
    // The second of two requests at the same moment knows of the first.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`mailbox ${email}`}, 0))`)
    const hours = await takeMail(tx, { email, purpose, emails, device, knownDevice, time_zone, now })
    if (isEntry(purpose) && !hours)
      await restartWindow(tx, livingKey(purpose, email, time_zone !== undefined), now)
    return hours ? { hours } : {}
  })
}

type Taking = Required<MailRequest> & {
  device: Device
  knownDevice: string | undefined
  /** The email says in the shop's time zone when it was requested. */
  time_zone: string | undefined
  now: Date
}

/** The hours of a link that has to work for longer than usual. */
async function takeMail(
  tx: Transaction,
  { email, purpose, emails, device: { network }, knownDevice, time_zone, now }: Taking,
): Promise<number | undefined> {
  if (knownDevice) {
    await requireHit(tx, `auth:mail:device ${knownDevice}`, mailLimits.byKnownDevice, now)
    await requireHit(tx, `auth:mail:devices ${email}`, mailLimits.byKnownDevices, now)
    return undefined
  }
  await requireNetworkHits(tx, 'auth:mail:network ', { network, limit: mailLimits.byNetwork, now })
  const ofAddress = { network, limit: mailLimits.byAddressAndNetwork, now }
  await requireNetworkHits(tx, `auth:mail:address ${email} `, ofAddress)
  const ownLimit = mailLimits.byOwnNetworks
  if (purpose === 'proof') {
    await requireHit(tx, `auth:mail:proofs ${email}`, ownLimit, now)
    return undefined
  }
  const isOwn = (await readWindows(tx, [ownNetworkKey(email, network)], mailboxWindow, now)).length > 0
  // Beyond it, an own network has what strangers have.
  if (isOwn && (await consumeLimit(tx, `auth:mail:own ${email}`, ownLimit, now)).allowed) return undefined
  if (isEntry(purpose)) await requireNoLiving(tx, purpose, { email, time_zone, now })
  for (let n = 1; n <= emails; n += 1) {
    const key = `auth:mail:strangers ${email}`
    const { allowed, retryAfter } = await consumeLimit(tx, key, mailLimits.byStrangers, now)
    if (allowed) continue
    if (!isEntry(purpose)) throw refusal({ retryAfter })
    await requireHit(tx, lastKey(purpose, email), mailLimits.lastOfDay, now)
    return mailLimits.lastOfDay.windowSeconds / hourSeconds
  }
  return undefined
}

type Mailbox = Pick<Taking, 'email' | 'time_zone' | 'now'>

/** The mail that is out already is what the owner needs, and no other. */
async function requireNoLiving(tx: Transaction, entry: Entry, { email, time_zone, now }: Mailbox) {
  // The mail of a sign-up need not come again. What is asked for again may be of no sign-up, and sends nothing then.
  const meant: Entry[] = entry === 'sign_up_again' ? ['sign_up', entry] : [entry]
  const usual = { windowSeconds: linkHours[linkOf[entry]] * hourSeconds }
  const livingKeys = meant.map((each) => livingKey(each, email, time_zone !== undefined))
  const lastKeys = meant.map((each) => lastKey(each, email))
  const living = [
    ...(await readWindows(tx, livingKeys, usual, now)),
    ...(await readWindows(tx, lastKeys, mailLimits.lastOfDay, now)),
  ]
  const [first, ...others] = living
  if (!first) return
  const latest = others.reduce((best: Window, each) => (each.end > best.end ? each : best), first)
  const retryAfter = Math.max(1, Math.ceil((latest.end.getTime() - now.getTime()) / 1000))
  throw refusal({
    retryAfter,
    ...(time_zone && { detail: formatRequested(entry, latest, { time_zone, now }) }),
  })
}

/** Uses the shop's time zone and names it: the server does not know the reader's. */
function formatRequested(
  entry: Entry,
  { start, end }: Window,
  { time_zone, now }: { time_zone: string; now: Date },
): string {
  const format = (at: Date, parts: Intl.DateTimeFormatOptions) =>
    at.toLocaleString(currentLocale(), { ...parts, timeZone: time_zone })
  const dayOf = (at: Date) => format(at, { day: 'numeric', month: 'long' })
  const timeOf = (at: Date) => format(at, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  const isToday = [start, end].every((at) => dayOf(at) === dayOf(now))
  const { clock, emailRequested, purchaseEmailRequested } = responsesTexts
  const describe = (at: Date) =>
    isToday
      ? fill(clock.today, { time: timeOf(at) })
      : fill(clock.otherDay, { time: timeOf(at), day: dayOf(at) })
  const zone = new Intl.DateTimeFormat(currentLocale(), { timeZone: time_zone, timeZoneName: 'short' })
    .formatToParts(now)
    .find(({ type }) => type === 'timeZoneName')
  return fill(entry === 'find_purchase' ? purchaseEmailRequested : emailRequested, {
    requested: describe(start),
    until: describe(end),
    zone: zone?.value ?? time_zone,
  })
}

/** Lets the next request send again, since a link was used or has ended. */
export async function endLiving(tx: Transaction, email: string, types: readonly LinkType[]): Promise<void> {
  const ended = entries.filter((entry) => types.includes(linkOf[entry]))
  const keys = ended.flatMap((entry) => [
    livingKey(entry, email, true),
    livingKey(entry, email, false),
    lastKey(entry, email),
  ])
  if (keys.length > 0) await deleteLimits(tx, keys)
}

/** Counts the network as the owner's: a code or link for signing in or a new password, mailed to the address, was used there. */
export async function makeNetworkOwn(
  tx: Transaction,
  { email, network }: { email: string; network: string },
  now: Date,
): Promise<void> {
  await restartWindow(tx, ownNetworkKey(email, network), now)
}

/**
 * Throws Postponed where a mail to the address has to wait: one network has so many written to addresses that are not known
 * here. Only jobs ask, since a response must not tell who is known.
 */
export async function postponeUnknownMail(
  { db, config, clock }: Pick<MailShop, 'db' | 'config' | 'clock'>,
  email: string,
  network: string,
): Promise<void> {
  if (!config.hasRateLimits) return
  if ((await db.$count(users, isAddress(email))) > 0) return
  const now = clock()
  for (const [wider, times] of widerNetworks(network)) {
    const { limit, windowSeconds } = mailLimits.unknownByNetwork
    const key = `auth:mail:unknown ${wider}`
    const { allowed } = await consumeLimit(db, key, { limit: limit * times, windowSeconds }, now)
    if (!allowed)
      throw new Postponed('One network has many emails written to addresses that are not known here.')
  }
}

type NetworkHits = { network: string; limit: Limit; now: Date }

async function requireNetworkHits(tx: Transaction, key: string, { network, limit, now }: NetworkHits) {
  for (const [wider, times] of widerNetworks(network))
    await requireHit(tx, key + wider, { ...limit, limit: limit.limit * times }, now)
}

async function requireHit(tx: Transaction, key: string, limit: Limit, now: Date): Promise<void> {
  const { allowed, retryAfter } = await consumeLimit(tx, key, limit, now)
  if (!allowed) throw refusal({ retryAfter })
}

const refusal = (details: { retryAfter: number; detail?: string }) =>
  accountProblem('auth.over_email_send_rate_limit', details)

export const isMailLimit = (error: unknown) =>
  error instanceof Problem && error.code === 'auth.over_email_send_rate_limit'
