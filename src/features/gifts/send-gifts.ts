// Gives a product or a code to addresses: each at most once, and each by itself, so that one failure stops no other.
import { and, eq, inArray, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Transaction } from '#platform/db/client.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { findOrAddAccount } from '../accounts/created-accounts.ts'
import { profiles } from '../accounts/schema.ts'
import { recordAuditEvent, type Actor } from '../audit/audit-log.ts'
import { isEntitled } from '../entitlements/entitlements.ts'
import type { WithLetterhead } from '../mails/letterhead.ts'
import { givePurchase, hasPurchase } from '../purchases/give-purchase.ts'
import { purchases } from '../purchases/schema.ts'
import type { GiftCheck, GiftOutcome, GiftRequest, GiftsSent, Present, Recipient } from './contract/gifts.ts'
import { findPresent } from './find-present.ts'
import { giftMailJob } from './gift-email-job.ts'
import { readRecipients } from './read-recipients.ts'
import { gifts } from './schema.ts'

type Needs = Pick<Services, 'db' | 'queue' | 'clock'>

/** Sends nothing. Throws what findPresent throws. */
export async function checkGifts(
  { db, letterhead }: Pick<Needs, 'db'> & WithLetterhead,
  { present, list, message }: GiftRequest,
): Promise<GiftCheck> {
  const shown = await findPresent(db, present)
  const { recipients, bad_rows } = readRecipients(list)
  const [first] = recipients
  const { giftEmail } = await import('./gift-email.ts')
  const to = first?.email ?? ''
  const name = first?.name ?? null
  const mail = { letterhead: await letterhead(), to, name, message, present: shown }
  const { subject, text } = await giftEmail(mail)
  const known = await findKnown({ db }, present, recipients)
  const checked = recipients.map(({ line, email, name: called }) => {
    return { line, email, name: called, outcome: known.get(email) ?? 'new' }
  })
  return { recipients: checked, bad_rows, mail: { subject, text } }
}

/** Who gets nothing, and why. */
async function findKnown({ db }: Pick<Needs, 'db'>, present: Present, recipients: Recipient[]) {
  const emails = recipients.map(({ email }) => email)
  const given = await db
    .select({ email: gifts.email })
    .from(gifts)
    .where(and(isSame(present), inArray(gifts.email, emails)))
  const owners =
    present.kind === 'copy'
      ? await db
          .select({ email: profiles.email })
          .from(purchases)
          .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
          .where(
            and(
              eq(purchases.product_id, present.product_id),
              inArray(profiles.email, emails),
              isEntitled(sql`${purchases}`),
            ),
          )
      : []
  return new Map<string, GiftOutcome>([
    ...owners.map(({ email }) => [email, 'has_it'] as const),
    ...given.map(({ email }) => [email, 'given_before'] as const),
  ])
}

function isSame(present: Present) {
  return present.kind === 'copy'
    ? eq(gifts.product_id, present.product_id)
    : eq(gifts.code_id, present.code_id)
}

/** Bad rows are left out. Sent again, nobody gets anything twice. Throws what findPresent throws. */
export async function sendGifts(
  services: Needs,
  actor: Actor,
  { present, list, message }: GiftRequest,
): Promise<GiftsSent> {
  await findPresent(services.db, present)
  const { recipients, bad_rows } = readRecipients(list)
  const sent: GiftsSent['recipients'] = []
  for (const recipient of recipients) {
    const outcome = await give(services, actor, { present, recipient, message })
    sent.push({ ...recipient, outcome })
  }
  return { recipients: sent, bad_rows }
}

type Giving = { present: Present; recipient: Recipient; message: string }

/** The account, the purchase, the mail and the log entry: all or nothing. */
async function give(services: Needs, actor: Actor, giving: Giving): Promise<GiftOutcome> {
  try {
    return await services.db.transaction((tx) => giveTo(tx, services, actor, giving))
  } catch (error) {
    if (error instanceof HasIt) return 'has_it'
    if (error instanceof Problem && error.code === 'stock.sold_out') return 'sold_out'
    throw error
  }
}

/** Undoes what was written of the gift. */
class HasIt extends Error {}

async function giveTo(
  tx: Transaction,
  { queue, clock }: Needs,
  actor: Actor,
  { present, recipient: { email, name }, message }: Giving,
): Promise<GiftOutcome> {
  const id = uuidv7()
  const { kind, ...what } = present
  const { rowCount } = await tx
    .insert(gifts)
    .values({ id, email, name, message, ...what })
    .onConflictDoNothing()
  if (!rowCount) return 'given_before'
  const found = await findPresent(tx, present)
  if (present.kind === 'copy') {
    const account = { id: uuidv7(), email, display_name: name ?? undefined }
    const { user_id } = await findOrAddAccount(tx, account, clock())
    const own = { user_id, product_id: present.product_id }
    if (await hasPurchase(tx, own)) throw new HasIt()
    const purchase_id = await givePurchase(tx, own)
    await tx.update(gifts).set({ purchase_id }).where(eq(gifts.id, id))
  }
  await queue.enqueue(tx, giftMailJob, { gift_id: id })
  const action = kind === 'copy' ? 'gifts.copy_given' : 'gifts.code_sent'
  const detail = found.kind === 'copy' ? { product: found.product_name } : { code: found.code }
  await recordAuditEvent(tx, actor, { action, subject: email, subject_id: id, detail })
  return 'new'
}
