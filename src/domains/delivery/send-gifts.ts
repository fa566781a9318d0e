// One address after another: a failure ends its own address, not the list.
import { releaseHit, takeHit } from '#platform/http/rate-limits.ts'
import { Problem } from '#platform/problem.ts'
import type { Services } from '#platform/services.ts'
import { type Actor, recordAuditEvent } from '#platform/audit-log.ts'
import type { GiftOutcome, GiftSending, GiftsSent, Present, Recipient } from '#contract/delivery/gifts.ts'
import { readRecipients } from './read-recipients.ts'
import { and, eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Transaction } from '#platform/db/client.ts'
import { findOrAddAccount } from '#domains/accounts/created-accounts.ts'
import type { AuditAction } from '#contract/operations/audit-actions.ts'
import { givePurchase, hasPurchase } from '#domains/orders/insert-purchase.ts'
import { giftMailJob, findPresent, isOfPresent } from './gift-email-job.ts'
import { gifts } from '#tables/gifts.ts'

/** A stolen session must not send the owner's words to the world. */
const mailsADay = { limit: 2000, windowSeconds: 24 * 3600 }

/** After so many consecutive failures the rest would fail, too: the database is away, or the product is gone. */
const maxFailures = 3

export async function sendGifts(
  services: Services,
  actor: Actor,
  { present, list, message, mails_again = false }: Omit<GiftSending, 'current_password'>,
): Promise<GiftsSent> {
  await findPresent(services.db, present)
  const { recipients, bad_rows } = readRecipients(list)
  const sent: GiftsSent['recipients'] = []
  let failures = 0
  for (const recipient of recipients) {
    const giving = { present, recipient, message, mails_again }
    const outcome = failures < maxFailures ? await tryToGive(services, actor, giving) : 'failed'
    failures = outcome === 'failed' ? failures + 1 : 0
    sent.push({ ...recipient, outcome })
  }
  return { recipients: sent, bad_rows, is_mail_kept: services.mail.isKept() }
}

async function tryToGive(services: Services, actor: Actor, giving: Giving): Promise<GiftOutcome> {
  try {
    return await giveWithinLimit(services, actor, giving)
  } catch (error) {
    services.log.error({ err: error, recipient: giving.recipient.email }, 'a gift could not be given')
    return 'failed'
  }
}

async function giveWithinLimit(services: Services, actor: Actor, giving: Giving): Promise<GiftOutcome> {
  const { db, config } = services
  if (!config.hasRateLimits) return giveOrRefuse(services, actor, giving)
  const key = `gifts:account:${actor.id}`
  const hit = await takeHit(db, key, mailsADay)
  if (!hit.allowed) return 'limited'
  const outcome = await giveOrRefuse(services, actor, giving)
  if (outcome !== 'new' && outcome !== 'mailed_again') await releaseHit(db, key, hit)
  return outcome
}

async function giveOrRefuse(services: Services, actor: Actor, giving: Giving): Promise<GiftOutcome> {
  try {
    return await services.db.transaction((tx) => give(tx, services, actor, giving))
  } catch (error) {
    if (error instanceof NotGiven) return error.outcome
    if (error instanceof Problem && error.code === 'stock.sold_out') return 'sold_out'
    throw error
  }
}

type Giving = { present: Present; recipient: Recipient; message: string; mails_again: boolean }

class NotGiven extends Error {
  readonly outcome: GiftOutcome
  constructor(outcome: GiftOutcome) {
    super(outcome)
    this.outcome = outcome
  }
}

async function give(tx: Transaction, services: Services, actor: Actor, giving: Giving) {
  const { present, recipient, message } = giving
  const { email, name } = recipient
  const id = uuidv7()
  const { kind, ...what } = present
  const { rowCount } = await tx
    .insert(gifts)
    .values({ id, email, name, message, ...what })
    .onConflictDoNothing()
  if (!rowCount) return mailAgain(tx, services, actor, giving)
  if (present.kind === 'copy') {
    const account = { id: uuidv7(), email, display_name: name ?? undefined }
    const { user_id } = await findOrAddAccount(tx, account, services.clock())
    const own = { user_id, product_id: present.product_id }
    if (await hasPurchase(tx, own)) throw new NotGiven('has_it')
    const purchase_id = await givePurchase(tx, own)
    await tx.update(gifts).set({ purchase_id }).where(eq(gifts.id, id))
  }
  const action = kind === 'copy' ? 'gifts.copy_given' : 'gifts.code_sent'
  await notifyRecipient(tx, services, actor, giving, { id, action })
  return 'new' as const
}

/** After a lost response the same list is sent once more. */
const pauseInMinutes = 10
const isPauseOver = sql`${gifts.mailed_at} < now() - make_interval(mins => ${pauseInMinutes})`

async function mailAgain(tx: Transaction, services: Services, actor: Actor, giving: Giving) {
  const { present, recipient, message, mails_again } = giving
  if (!mails_again) throw new NotGiven('given_before')
  const { email, name } = recipient
  const [gift] = await tx
    .update(gifts)
    .set({ message, ...(name && { name }), mailed_at: sql`now()` })
    .where(and(isOfPresent(present), eq(gifts.email, email), isPauseOver))
    .returning({ id: gifts.id })
  if (!gift) throw new NotGiven('given_before')
  await notifyRecipient(tx, services, actor, giving, { id: gift.id, action: 'gifts.mailed_again' })
  return 'mailed_again' as const
}

async function notifyRecipient(
  tx: Transaction,
  { queue }: Services,
  actor: Actor,
  { present, recipient }: Giving,
  { id, action }: { id: string; action: AuditAction },
) {
  const found = await findPresent(tx, present)
  const detail = found.kind === 'copy' ? { product: found.product_name } : { code: found.code }
  await queue.enqueue(tx, giftMailJob, { gift_id: id })
  await recordAuditEvent(tx, actor, { action, subject: recipient.email, subject_id: id, detail })
}
