// Grants: free copies that the author gives to a list of addresses. One address after another, so that a failure concerns
// its own address only.
import { randomUUID } from 'node:crypto'
import { eq, sql, and, inArray, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { defineMailJob } from '#domains/mail/sending.ts'
import { previewEmail } from '#domains/mail/mail-previews.ts'
import type { MailBranding } from '#domains/mail/email-layout.ts'
import type { OutgoingMail } from '#domains/mail/shop.ts'
import { gifts } from '#tables/delivery.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { isoTime, queryAll } from '#platform/db/query.ts'
import { catalogProblem } from '#domains/catalog/shop.ts'
import { deliveryProblem } from './problem.ts'
import { opensAccount } from '#domains/accounts/links.ts'
import { purchases } from '#tables/orders.ts'
import { deliveryGap, ships } from '#domains/catalog/product-sql.ts'
import { products } from '#tables/catalog.ts'
import {
  type Recipient,
  type GrantCheck,
  type GrantOutcome,
  type GrantRequest,
  maxListedGrants,
  grant,
  type Grant,
  type GrantSending,
  type GrantsSent,
} from '#contract/delivery/gifts.ts'
import { profiles } from '#tables/accounts.ts'
import { isEntitled } from '#domains/orders/entitlements.ts'
import { releaseLimit, consumeLimit } from '#platform/http/rate-limits.ts'
import { Problem } from '#platform/problem.ts'
import { type Actor, recordAuditEvent } from '#platform/audit-log.ts'
import { v7 as uuidv7 } from 'uuid'
import { findOrAddAccount } from '#domains/accounts/created-accounts.ts'
import { givePurchase, hasPurchase } from '#domains/orders/buy.ts'
import { addGiftLink, openedAt, opensGiftAccount } from './gift-links.ts'
import { readRecipients } from './recipients.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

async function composeGrant(
  { db, log }: CommerceShop,
  { gift_id }: { gift_id: string },
  branding: MailBranding,
): Promise<OutgoingMail<'gift'> | undefined> {
  const { grantEmail } = await import('./gifts.emails.ts')
  const [gift] = await db.select().from(gifts).where(eq(gifts.id, gift_id))
  const product = gift?.product_id && (await findProduct(db, gift.product_id))
  if (!product) {
    log.warn({ gift_id }, 'no mail: the gift was taken back')
    return undefined
  }
  const { email: to, recipient_name: name, note: message, received_id } = gift
  const link = await addGiftLink(db, gift, branding.siteUrl)
  const page = { link, signsIn: await db.transaction((tx) => opensAccount(tx, to)) }
  const email = await grantEmail({ branding, to, name, message, page, product })
  return {
    kind: 'gift',
    email: { ...email, replyTo: branding.authorEmail },
    purchase_id: received_id ?? undefined,
  }
}

export const grantMailJob = defineMailJob({
  name: 'mail.grant',
  kinds: ['gift'],
  payload: z.object({ gift_id: z.uuid() }),
  compose: composeGrant,
})

async function getDeliverable(db: Db | Transaction, product_id: string) {
  const product = await findProduct(db, product_id)
  if (!product) throw catalogProblem('products.not_found')
  if (product.gap) throw deliveryProblem('gifts.not_deliverable')
  return product
}

async function findProduct(db: Db | Transaction, product_id: string) {
  const { name, is_digital } = products
  const [row] = await db
    .select({ name, is_digital, ships, gap: deliveryGap })
    .from(products)
    .where(eq(products.id, product_id))
  return row
}

export async function checkGrants(
  services: CommerceShop,
  user: { id: string; session_id: string },
  { product_id, list, message }: GrantRequest,
): Promise<GrantCheck> {
  const { db, mail } = services
  const product = await getDeliverable(db, product_id)
  const { recipients, bad_rows } = readRecipients(list)
  const known = await findKnown(db, product_id, recipients)
  const checked = recipients.map(({ line, email, name: called }) => {
    return { line, email, name: called, outcome: known.get(email) ?? 'new' }
  })
  const first = checked.find(({ outcome }) => outcome !== 'has_it') ?? checked[0]
  const { email: to, name } = first ?? { email: '', name: null }
  const signsIn = await db.transaction((tx) => opensGiftAccount(tx, to))
  const { grantEmail } = await import('./gifts.emails.ts')
  const preview = await previewEmail(services, user, async (branding) => {
    const page = { link: `${branding.siteUrl}/gift`, signsIn }
    const email = await grantEmail({ branding, to, name, message, page, product })
    return { ...email, replyTo: branding.authorEmail }
  })
  return { recipients: checked, bad_rows, mail: preview, is_mail_unsent: !mail.sendsMail() }
}

async function findKnown(db: Db, product_id: string, recipients: Recipient[]) {
  const emails = recipients.map(({ email }) => email)
  const known = new Map<string, GrantOutcome>()
  const isGiven = and(eq(gifts.product_id, product_id), inArray(gifts.email, emails))
  for (const { email } of await db.select().from(gifts).where(isGiven)) known.set(email, 'given_before')
  const isOwner = and(eq(purchases.product_id, product_id), isEntitled(sql`${purchases}`))
  const owners = await db
    .select({ email: profiles.email })
    .from(purchases)
    .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .where(and(isOwner, inArray(profiles.email, emails)))
  for (const { email } of owners) if (!known.has(email)) known.set(email, 'has_it')
  return known
}

const listed = grant.extend({ created_at: isoTime, opened_at: isoTime.nullable() })

export function listGrants(db: Db): Promise<Grant[]> {
  return queryAll(
    db,
    listed,
    sql`
      select g.id, g.email, p.name as product_name, p.format, g.received_id as purchase_id, g.created_at,
        ${openedAt} as opened_at
      from purchase_gifts g join products p on p.id = g.product_id where g.purchase_id is null
      order by g.created_at desc, g.id desc limit ${maxListedGrants}`,
  )
}

/** A stolen session must not send the owner's words to the world. */
const mailsADay = { limit: 2000, windowSeconds: 24 * 3600 }

/** The rest would fail, too, after so many consecutive failures: the database is away, or the product is gone. */
const maxFailures = 3

export async function sendGrants(
  services: CommerceShop,
  actor: Actor,
  { product_id, list, message, mails_again = false }: Omit<GrantSending, 'current_password'>,
): Promise<GrantsSent> {
  await getDeliverable(services.db, product_id)
  const { recipients, bad_rows } = readRecipients(list)
  const sender_name = (await services.book.get()).document.author.name
  const sent: GrantsSent['recipients'] = []
  let failures = 0
  for (const recipient of recipients) {
    const giving = { product_id, recipient, message, mails_again, sender_name }
    const outcome = failures < maxFailures ? await tryToGive(services, actor, giving) : 'failed'
    failures = outcome === 'failed' ? failures + 1 : 0
    sent.push({ ...recipient, outcome })
  }
  return { recipients: sent, bad_rows, is_mail_unsent: !services.mail.sendsMail() }
}

async function tryToGive(services: CommerceShop, actor: Actor, giving: Giving): Promise<GrantOutcome> {
  try {
    return await giveWithinLimit(services, actor, giving)
  } catch (error) {
    services.log.error({ err: error, recipient: giving.recipient.email }, 'a gift could not be given')
    return 'failed'
  }
}

async function giveWithinLimit(services: CommerceShop, actor: Actor, giving: Giving): Promise<GrantOutcome> {
  const { db, config } = services
  if (!config.hasRateLimits) return giveOrRefuse(services, actor, giving)
  const key = `gifts:account:${actor.id}`
  const hit = await consumeLimit(db, key, mailsADay)
  if (!hit.allowed) return 'limited'
  const outcome = await giveOrRefuse(services, actor, giving)
  if (outcome !== 'new' && outcome !== 'mailed_again') await releaseLimit(db, key, hit)
  return outcome
}

async function giveOrRefuse(services: CommerceShop, actor: Actor, giving: Giving): Promise<GrantOutcome> {
  try {
    return await services.db.transaction((tx) => give(tx, services, actor, giving))
  } catch (error) {
    if (error instanceof NotGiven) return error.outcome
    if (error instanceof Problem && error.code === 'stock.sold_out') return 'sold_out'
    throw error
  }
}

type Giving = {
  product_id: string
  recipient: Recipient
  message: string
  mails_again: boolean
  sender_name: string
}

class NotGiven extends Error {
  readonly outcome: GrantOutcome
  constructor(outcome: GrantOutcome) {
    super(outcome)
    this.outcome = outcome
  }
}

async function give(tx: Transaction, services: CommerceShop, actor: Actor, giving: Giving) {
  const id = uuidv7()
  if (!(await giveCopy(tx, services, giving, id))) return mailAgain(tx, services, actor, giving)
  await notifyRecipient(tx, services, actor, giving, { id, action: 'gifts.copy_given' })
  return 'new' as const
}

/** The recipient's purchase is made at once: its stock, its parcel, and that the recipient has the product. */
async function giveCopy(
  tx: Transaction,
  services: CommerceShop,
  { product_id, recipient: { email, name }, message, sender_name }: Giving,
  id: string,
): Promise<boolean> {
  const now = services.clock()
  const gift = { id, product_id, email, revision: randomUUID() }
  const texts = { recipient_name: name ?? '', sender_name, note: message }
  const { rowCount } = await tx
    .insert(gifts)
    .values({ ...gift, ...texts, send_at: sql`now()` })
    .onConflictDoNothing()
  if (!rowCount) return false
  const account = { id: uuidv7(), email, display_name: name ?? undefined }
  const { user_id } = await findOrAddAccount(tx, account, now)
  const own = { user_id, product_id }
  if (await hasPurchase(tx, own)) throw new NotGiven('has_it')
  const received_id = await givePurchase(tx, own)
  await tx.update(gifts).set({ received_id }).where(eq(gifts.id, id))
  return true
}

/** The same list is sent once more when a response was lost. */
const pauseInMinutes = 10

async function mailAgain(tx: Transaction, services: CommerceShop, actor: Actor, giving: Giving) {
  if (!giving.mails_again) throw new NotGiven('given_before')
  const id = await startAgain(tx, giving)
  if (!id) throw new NotGiven('given_before')
  await notifyRecipient(tx, services, actor, giving, { id, action: 'gifts.mailed_again' })
  return 'mailed_again' as const
}

async function startAgain(
  tx: Transaction,
  { product_id, recipient: { email, name }, message, sender_name }: Giving,
): Promise<string | undefined> {
  const isSame = and(
    eq(gifts.product_id, product_id),
    isNull(gifts.purchase_id),
    sql`lower(${gifts.email}) = lower(${email})`,
  )
  const isPauseOver = sql`${gifts.send_at} < now() - make_interval(mins => ${pauseInMinutes})`
  const [gift] = await tx
    .update(gifts)
    .set({ note: message, sender_name, ...(name && { recipient_name: name }), send_at: sql`now()` })
    .where(and(isSame, isPauseOver))
    .returning({ id: gifts.id })
  return gift?.id
}

async function notifyRecipient(
  tx: Transaction,
  { queue }: CommerceShop,
  actor: Actor,
  { product_id, recipient }: Giving,
  { id, action }: { id: string; action: 'gifts.copy_given' | 'gifts.mailed_again' },
) {
  const detail = { product: (await getDeliverable(tx, product_id)).name }
  await queue.enqueue(tx, grantMailJob, { gift_id: id })
  await recordAuditEvent(tx, actor, { action, subject: recipient.email, subject_id: id, detail })
}
