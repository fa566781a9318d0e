// One address after another: a failure ends its own address, not the list.
import { eq, sql, type SQL, and, inArray, desc } from 'drizzle-orm'
import { z } from 'zod'
import { defineMailJob } from '#domains/mail/sending.ts'
import { gifts } from '#tables/delivery.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { catalogProblem } from '#domains/catalog/problem.ts'
import { deliveryProblem } from './problem.ts'
import { linkAddress, makeGiftLink, signInAddress } from '#domains/accounts/links.ts'
import { discount_codes, shopCurrency, purchases } from '#tables/orders.ts'
import { isUsedUp, isValid } from '#domains/orders/discounts.ts'
import { deliveryGap, ships } from '#domains/catalog/catalogue.ts'
import { products } from '#tables/catalog.ts'
import {
  type Present,
  type Recipient,
  type GiftCheck,
  type GiftOutcome,
  type GiftRequest,
  maxListedGifts,
  type Gift,
  type GiftSending,
  type GiftsSent,
} from '#contract/delivery/grants.ts'
import type { GiftMail } from './grants.emails.ts'
import { profiles } from '#tables/accounts.ts'
import { isEntitled } from '#domains/orders/entitlements.ts'
import { releaseLimit, consumeLimit } from '#platform/http/rate-limits.ts'
import { Problem } from '#platform/problem.ts'
import { type Actor, recordAuditEvent } from '#platform/audit-log.ts'
import { v7 as uuidv7 } from 'uuid'
import { findOrAddAccount } from '#domains/accounts/created-accounts.ts'
import type { AuditAction } from '#contract/operations/audit.ts'
import { givePurchase, hasPurchase } from '#domains/orders/buy.ts'
import { readRecipients } from './recipients.ts'
import type { BookShop } from '#domains/book/shop.ts'

export const giftMailJob = defineMailJob({
  name: 'mail.gift',
  kinds: ['gift'],
  payload: z.object({ gift_id: z.uuid() }),
  async compose({ db, clock, log }, { gift_id }, branding) {
    const [gift] = await db.select().from(gifts).where(eq(gifts.id, gift_id))
    const present = gift && (await findGiven(db, gift))
    if (!present) {
      log.warn({ gift_id }, 'no mail: the gift does not exist')
      return undefined
    }
    const { email: to, name, message, purchase_id } = gift
    const { giftEmail } = await import('./grants.emails.ts')
    const token =
      present.kind === 'copy' ? await db.transaction((tx) => makeGiftLink(tx, to, clock())) : undefined
    const page = pageOf(branding.siteUrl, token)
    const email = await giftEmail({ branding, to, name, message, page, present })
    const replied = { ...email, replyTo: branding.authorEmail }
    return { kind: 'gift', email: replied, purchase_id: purchase_id ?? undefined }
  },
})

function pageOf(siteUrl: string, token?: string): GiftMail['page'] {
  const path = '/dashboard'
  return token
    ? { link: linkAddress(siteUrl, 'magiclink', token, path), signsIn: true }
    : { link: signInAddress(siteUrl, path), signsIn: false }
}

type GrantRow =
  | Extract<GiftMail['present'], { kind: 'copy' }>
  | NonNullable<Awaited<ReturnType<typeof findCode>>>

async function findPresent(db: Db | Transaction, present: Present): Promise<GrantRow> {
  if (present.kind === 'code') {
    const matches = sql`${discount_codes.id} = ${present.code_id} and ${isValid} and not ${isUsedUp} and ${discount_codes.paused_at} is null`
    const code = await findCode(db, matches)
    if (!code) throw deliveryProblem('gifts.code_not_valid')
    return code
  }
  const product = await findCopy(db, present.product_id)
  if (!product) throw catalogProblem('products.not_found')
  const { gap, ...copy } = product
  if (gap) throw deliveryProblem('gifts.not_deliverable')
  return copy
}

function isOfPresent(present: Present): SQL {
  return present.kind === 'copy'
    ? eq(gifts.product_id, present.product_id)
    : eq(gifts.code_id, present.code_id)
}

async function findGiven(db: Db, { product_id, code_id }: typeof gifts.$inferSelect) {
  if (code_id) return findCode(db, eq(discount_codes.id, code_id))
  const product = product_id ? await findCopy(db, product_id) : undefined
  if (!product) return undefined
  const { gap: _gap, ...copy } = product
  return copy
}

async function findCode(db: Db | Transaction, matches: SQL) {
  const { code, percent, amount_off, max_uses, uses, ends_on } = discount_codes
  const terms = { code, percent, amount_off, max_uses, uses, ends_on }
  const [row] = await db
    .select({ ...terms, currency: shopCurrency, product_name: products.name })
    .from(discount_codes)
    .leftJoin(products, eq(products.id, discount_codes.product_id))
    .where(matches)
  return row && { kind: 'code' as const, ...row }
}

async function findCopy(db: Db | Transaction, product_id: string) {
  const { name: product_name, is_digital } = products
  const [row] = await db
    .select({ product_name, is_digital, ships, gap: deliveryGap })
    .from(products)
    .where(eq(products.id, product_id))
  return row && { kind: 'copy' as const, ...row }
}

export async function checkGifts(
  { db, mail, composeMail }: BookShop,
  { present, list, message }: GiftRequest,
): Promise<GiftCheck> {
  const shown = await findPresent(db, present)
  const { recipients, bad_rows } = readRecipients(list)
  const { giftEmail } = await import('./grants.emails.ts')
  const { email: to, name } = recipients[0] ?? { email: '', name: null }
  const { subject, text } = await composeMail((branding) =>
    giftEmail({ branding, to, name, message, page: pageOf(branding.siteUrl), present: shown }),
  )
  const known = await findKnown(db, present, recipients)
  const checked = recipients.map(({ line, email, name: called }) => {
    return { line, email, name: called, outcome: known.get(email) ?? 'new' }
  })
  return {
    recipients: checked,
    bad_rows,
    mail: { subject, text },
    is_mail_kept: mail.isKept(),
    uses_left: shown.kind === 'code' && shown.max_uses !== null ? shown.max_uses - shown.uses : null,
  }
}

async function findKnown(db: Db, present: Present, recipients: Recipient[]) {
  const emails = recipients.map(({ email }) => email)
  const input = await db
    .select({ email: gifts.email })
    .from(gifts)
    .where(and(isOfPresent(present), inArray(gifts.email, emails)))
  const known = new Map<string, GiftOutcome>(input.map(({ email }) => [email, 'given_before']))
  if (present.kind === 'code') return known
  const isOwner = and(eq(purchases.product_id, present.product_id), isEntitled(sql`${purchases}`))
  const owners = await db
    .select({ email: profiles.email })
    .from(purchases)
    .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .where(and(isOwner, inArray(profiles.email, emails)))
  for (const { email } of owners) if (!known.has(email)) known.set(email, 'has_it')
  return known
}

export async function listGifts(db: Db): Promise<Gift[]> {
  const { id, email, purchase_id, code_id, created_at } = gifts
  const present = sql<string>`coalesce(${products.name}, ${discount_codes.code})`
  const rows = await db
    .select({ id, email, purchase_id, code_id, created_at, present })
    .from(gifts)
    .leftJoin(products, eq(products.id, gifts.product_id))
    .leftJoin(discount_codes, eq(discount_codes.id, gifts.code_id))
    .orderBy(desc(created_at), desc(id))
    .limit(maxListedGifts)
  return rows.map(toGift)
}

type GiftRow = Omit<Gift, 'kind' | 'created_at'> & { code_id: string | null; created_at: Date }

function toGift({ code_id, created_at, ...row }: GiftRow): Gift {
  return { ...row, kind: code_id ? 'code' : 'copy', created_at: created_at.toISOString() }
}

/** A stolen session must not send the owner's words to the world. */
const mailsADay = { limit: 2000, windowSeconds: 24 * 3600 }

/** After so many consecutive failures the rest would fail, too: the database is away, or the product is gone. */
const maxFailures = 3

export async function sendGifts(
  services: BookShop,
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

async function tryToGive(services: BookShop, actor: Actor, giving: Giving): Promise<GiftOutcome> {
  try {
    return await giveWithinLimit(services, actor, giving)
  } catch (error) {
    services.log.error({ err: error, recipient: giving.recipient.email }, 'a gift could not be given')
    return 'failed'
  }
}

async function giveWithinLimit(services: BookShop, actor: Actor, giving: Giving): Promise<GiftOutcome> {
  const { db, config } = services
  if (!config.hasRateLimits) return giveOrRefuse(services, actor, giving)
  const key = `gifts:account:${actor.id}`
  const hit = await consumeLimit(db, key, mailsADay)
  if (!hit.allowed) return 'limited'
  const outcome = await giveOrRefuse(services, actor, giving)
  if (outcome !== 'new' && outcome !== 'mailed_again') await releaseLimit(db, key, hit)
  return outcome
}

async function giveOrRefuse(services: BookShop, actor: Actor, giving: Giving): Promise<GiftOutcome> {
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

async function give(tx: Transaction, services: BookShop, actor: Actor, giving: Giving) {
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

async function mailAgain(tx: Transaction, services: BookShop, actor: Actor, giving: Giving) {
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
  { queue }: BookShop,
  actor: Actor,
  { present, recipient }: Giving,
  { id, action }: { id: string; action: AuditAction },
) {
  const result = await findPresent(tx, present)
  const detail = result.kind === 'copy' ? { product: result.product_name } : { code: result.code }
  await queue.enqueue(tx, giftMailJob, { gift_id: id })
  await recordAuditEvent(tx, actor, { action, subject: recipient.email, subject_id: id, detail })
}
