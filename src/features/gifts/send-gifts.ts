// Gives a product or a code to a list of addresses, one by one. A failure ends its own address, not the list, and is returned as its outcome.
import { giveHitBack, takeHit } from '#platform/http/rate-limits.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import type { Actor } from '../audit/audit-log.ts'
import type { GiftOutcome, GiftSending, GiftsSent } from './contract/gifts.ts'
import { findPresent } from './find-present.ts'
import { give, NotGiven, type Giving } from './give.ts'
import { readRecipients } from './read-recipients.ts'

type Needs = Pick<Services, 'db' | 'queue' | 'clock' | 'config' | 'log' | 'mail'>

/** A stolen session must not send the owner's words to the world. */
const mailsADay = { limit: 2000, windowSeconds: 24 * 3600 }

/** The database is away, or what is given is no longer to be had: the rest of the list would fail, too. */
const failuresAtMost = 3

/** Bad rows are left out. Sent again, nobody gets anything twice. */
export async function sendGifts(
  services: Needs,
  actor: Actor,
  { present, list, message, mails_again = false }: Omit<GiftSending, 'current_password'>,
): Promise<GiftsSent> {
  await findPresent(services.db, present)
  const { recipients, bad_rows } = readRecipients(list)
  const sent: GiftsSent['recipients'] = []
  let failures = 0
  for (const recipient of recipients) {
    const giving = { present, recipient, message, mails_again }
    const outcome = failures < failuresAtMost ? await tryToGive(services, actor, giving) : 'failed'
    failures = outcome === 'failed' ? failures + 1 : 0
    sent.push({ ...recipient, outcome })
  }
  return { recipients: sent, bad_rows, is_mail_kept: services.mail.isKept() }
}

async function tryToGive(services: Needs, actor: Actor, giving: Giving): Promise<GiftOutcome> {
  try {
    return await giveWithinLimit(services, actor, giving)
  } catch (error) {
    services.log.error({ err: error, recipient: giving.recipient.email }, 'a gift could not be given')
    return 'failed'
  }
}

async function giveWithinLimit(services: Needs, actor: Actor, giving: Giving): Promise<GiftOutcome> {
  const { db, config } = services
  if (!config.hasRateLimits) return giveOrSayWhy(services, actor, giving)
  const key = `gifts:account:${actor.id}`
  const hit = await takeHit(db, key, mailsADay)
  if (!hit.allowed) return 'limited'
  const outcome = await giveOrSayWhy(services, actor, giving)
  if (outcome !== 'new' && outcome !== 'mailed_again') await giveHitBack(db, key, hit)
  return outcome
}

async function giveOrSayWhy(services: Needs, actor: Actor, giving: Giving): Promise<GiftOutcome> {
  try {
    return await services.db.transaction((tx) => give(tx, services, actor, giving))
  } catch (error) {
    if (error instanceof NotGiven) return error.outcome
    if (error instanceof Problem && error.code === 'stock.sold_out') return 'sold_out'
    throw error
  }
}
