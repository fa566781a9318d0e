// Gives one recipient a product or a code: the account, the purchase, the mail and the audit event, all or nothing.
import { and, eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Transaction } from '#platform/db/client.ts'
import type { Services } from '../../services.ts'
import { findOrAddAccount } from '../accounts/created-accounts.ts'
import type { AuditAction } from '../audit/contract/audit-actions.ts'
import { recordAuditEvent, type Actor } from '../audit/audit-log.ts'
import { givePurchase, hasPurchase } from '../purchases/give-purchase.ts'
import type { GiftOutcome, Present, Recipient } from './contract/gifts.ts'
import { findPresent, isOfPresent } from './find-present.ts'
import { giftMailJob } from './gift-email-job.ts'
import { gifts } from './schema.ts'

type Needs = Pick<Services, 'queue' | 'clock'>

export type Giving = { present: Present; recipient: Recipient; message: string; mails_again: boolean }

/** Thrown to undo what was written of the gift. */
export class NotGiven extends Error {
  readonly outcome: GiftOutcome
  constructor(outcome: GiftOutcome) {
    super(outcome)
    this.outcome = outcome
  }
}

export async function give(
  tx: Transaction,
  services: Needs,
  actor: Actor,
  giving: Giving,
): Promise<'new' | 'mailed_again'> {
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
  await tell(tx, services, actor, giving, {
    id,
    action: kind === 'copy' ? 'gifts.copy_given' : 'gifts.code_sent',
  })
  return 'new'
}

/** The mail is not sent again sooner: after a lost response the same list is sent once more. */
const pauseInMinutes = 10
const isPauseOver = sql`${gifts.mailed_at} < now() - make_interval(mins => ${pauseInMinutes})`

async function mailAgain(tx: Transaction, services: Needs, actor: Actor, giving: Giving) {
  const { present, recipient, message, mails_again } = giving
  if (!mails_again) throw new NotGiven('given_before')
  const { email, name } = recipient
  const [gift] = await tx
    .update(gifts)
    .set({ message, ...(name && { name }), mailed_at: sql`now()` })
    .where(and(isOfPresent(present), eq(gifts.email, email), isPauseOver))
    .returning({ id: gifts.id })
  if (!gift) throw new NotGiven('given_before')
  await tell(tx, services, actor, giving, { id: gift.id, action: 'gifts.mailed_again' })
  return 'mailed_again' as const
}

async function tell(
  tx: Transaction,
  { queue }: Needs,
  actor: Actor,
  { present, recipient }: Giving,
  { id, action }: { id: string; action: AuditAction },
): Promise<void> {
  const found = await findPresent(tx, present)
  const detail = found.kind === 'copy' ? { product: found.product_name } : { code: found.code }
  await queue.enqueue(tx, giftMailJob, { gift_id: id })
  await recordAuditEvent(tx, actor, { action, subject: recipient.email, subject_id: id, detail })
}
