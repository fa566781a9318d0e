// How many emails strangers can have mailed to one mailbox, and one network to mailboxes that nobody has proven. What
// counts is the mailbox that is written to, whatever asks for it.
import { sql } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import { widerNetworks } from '#platform/http/client-ip.ts'
import { readHits, takeHit, type Limit } from '#platform/http/rate-limits.ts'
import { Problem } from '#platform/problem.ts'
import { accountProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import { findKnownDevice, type Device } from './devices.ts'

const hour = 3600
const day = 24 * hour

type MailPurpose =
  | 'sign_in'
  | 'sign_up'
  | 'new_password'
  | 'changed_address'
  | 'tell_me'
  | 'find_purchase'
  | 'withdrawal'

export const mailLimits = {
  byNetwork: { limit: 20, windowSeconds: hour },
  byAddressAndNetwork: { limit: 4, windowSeconds: hour },
  /** Of the 20 that strangers can have mailed to one address in a day, each purpose has its own two. */
  byPurpose: { limit: 2, windowSeconds: day },
  /** The other six are for networks that had an email sent to the address before. */
  byFormerNetworks: { limit: 6, windowSeconds: day },
  byKnownDevice: { limit: 4, windowSeconds: hour },
  byKnownDevices: { limit: 12, windowSeconds: day },
} satisfies Record<string, Limit>

export const formerNetworkPrefix = 'auth:mail:former '
export const formerNetworkDays = 90
const former = { limit: 1, windowSeconds: formerNetworkDays * day }

export type MailWanted = { email: string; purpose: MailPurpose }

/** Throws a 429 with the seconds to wait; what is refused counts nowhere. A known device has limits of its own. */
export async function limitMail(
  { db, config, clock }: Pick<Services, 'db' | 'config' | 'clock'>,
  { email, purpose }: MailWanted,
  device: Device,
): Promise<void> {
  if (!config.hasRateLimits) return
  const { network } = device
  const knownDevice = await findKnownDevice(db, email, device, clock())
  await db.transaction(async (tx) => {
    if (knownDevice) {
      await requireHit(tx, `auth:mail:device ${knownDevice}`, mailLimits.byKnownDevice)
      return requireHit(tx, `auth:mail:devices ${email}`, mailLimits.byKnownDevices)
    }
    const formerKey = `${formerNetworkPrefix}${email} ${network}`
    // Of two requests at the same moment, the second knows of the first.
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${formerKey}, 0))`)
    await requireNetworkHits(tx, 'auth:mail:network ', network, mailLimits.byNetwork)
    await requireNetworkHits(tx, `auth:mail:address ${email} `, network, mailLimits.byAddressAndNetwork)
    const own = await takeHit(tx, `auth:mail:purpose ${purpose} ${email}`, mailLimits.byPurpose)
    if (!own.allowed) {
      if ((await readHits(tx, formerKey, former)).allowed) throw refusal(own.retryAfter)
      await requireHit(tx, `auth:mail:formers ${email}`, mailLimits.byFormerNetworks)
    }
    await takeHit(tx, formerKey, former)
  })
}

async function requireNetworkHits(
  tx: Transaction,
  key: string,
  network: string,
  limit: Limit,
): Promise<void> {
  for (const [wider, times] of widerNetworks(network))
    await requireHit(tx, key + wider, { ...limit, limit: limit.limit * times })
}

async function requireHit(tx: Transaction, key: string, limit: Limit): Promise<void> {
  const { allowed, retryAfter } = await takeHit(tx, key, limit)
  if (!allowed) throw refusal(retryAfter)
}

const refusal = (retryAfter: number) => accountProblem('auth.over_email_send_rate_limit', { retryAfter })

export const isMailLimit = (error: unknown) =>
  error instanceof Problem && error.code === 'auth.over_email_send_rate_limit'
