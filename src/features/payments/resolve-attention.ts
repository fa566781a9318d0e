// What the author does with the rest of what waits: a mail or an event tried again, and anything put aside with a note.
import { and, eq, isNotNull, isNull } from 'drizzle-orm'
import { z } from 'zod'
import type { DismissableKind } from './contract/needs-attention.ts'
import type { Transaction } from '#platform/db/client.ts'
import { failed_refunds, payment_events, payment_outages, refund_requests } from './schema.ts'
import { takeFailedMail } from '../mails/send-mail.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { recordAuditEvent, type Actor } from '../audit/audit-log.ts'
import { paymentEventJob } from './events.ts'
import { dismissHeld } from './resolve-held-payment.ts'

type Needs = Pick<Services, 'db' | 'queue' | 'clock'>

/** The same job once more, so that the same mail arrives once however often it was tried. */
export async function sendAgain({ db, queue }: Needs, actor: Actor, id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const { recipient } = await takeMail(tx, id)
    if (!(await queue.tryAgain(tx, id))) throw new Problem('mails.too_old')
    await recordAuditEvent(tx, actor, { action: 'mails.sent_again', subject: recipient, subject_id: id })
  })
}

export async function lookUpAgain({ db, queue }: Needs, actor: Actor, event_id: string): Promise<void> {
  await db.transaction(async (tx) => {
    const [event] = await tx
      .select({ type: payment_events.type })
      .from(payment_events)
      .where(isOpenEvent(event_id))
      .for('update')
    if (!event) throw new Problem('payments.not_waiting')
    await queue.enqueue(tx, paymentEventJob, { event_id })
    await recordAuditEvent(tx, actor, {
      action: 'payments.event_tried_again',
      subject: event.type,
      subject_id: event_id,
    })
  })
}

/** Put aside, with a note that stays in the log. */
export async function dismiss(
  services: Needs,
  actor: Actor,
  { kind, id, note }: { kind: DismissableKind; id: string; note: string },
): Promise<void> {
  if (hasOwnId(kind) && !z.uuid().safeParse(id).success) throw new Problem('payments.not_waiting')
  if (kind === 'held') return dismissHeld(services, actor, id, note)
  await services.db.transaction(async (tx) => {
    const subject = await putAside[kind](tx, id, services.clock())
    const detail = { note }
    await recordAuditEvent(tx, actor, { action: actions[kind], subject, subject_id: id, detail })
  })
}

const hasOwnId = (kind: DismissableKind) => kind !== 'event' && kind !== 'refund_failed'

const actions = {
  refund: 'refunds.dismissed',
  refund_failed: 'refunds.failure_dismissed',
  event: 'events.dismissed',
  mail: 'mails.dismissed',
  outage: 'outages.dismissed',
} as const

/** Each gives what it is called in the log. */
const putAside: Record<
  Exclude<DismissableKind, 'held'>,
  (tx: Transaction, id: string, now: Date) => Promise<string>
> = {
  async refund(tx, id, now) {
    const isWaiting = and(eq(refund_requests.status, 'refused'), isNull(refund_requests.dismissed_at))
    const [row] = await tx
      .update(refund_requests)
      .set({ dismissed_at: now })
      .where(and(eq(refund_requests.id, id), isWaiting))
      .returning()
    if (!row) throw new Problem('payments.not_waiting')
    return row.purchase_id
  },
  async refund_failed(tx, id, now) {
    const [row] = await tx
      .update(failed_refunds)
      .set({ dismissed_at: now })
      .where(and(eq(failed_refunds.external_id, id), isNull(failed_refunds.dismissed_at)))
      .returning()
    if (!row) throw new Problem('payments.not_waiting')
    return row.purchase_id
  },
  async event(tx, id, now) {
    const [row] = await tx.update(payment_events).set({ handled_at: now }).where(isOpenEvent(id)).returning()
    if (!row) throw new Problem('payments.not_waiting')
    return row.type
  },
  async mail(tx, id) {
    return (await takeMail(tx, id)).recipient
  },
  async outage(tx, id, now) {
    const isWaiting = and(isNotNull(payment_outages.ended_at), isNull(payment_outages.dismissed_at))
    const [row] = await tx
      .update(payment_outages)
      .set({ dismissed_at: now })
      .where(and(eq(payment_outages.id, id), isWaiting))
      .returning()
    if (!row) throw new Problem('payments.not_waiting')
    return row.began_at.toISOString()
  },
}

const isOpenEvent = (id: string) => and(eq(payment_events.id, id), isNull(payment_events.handled_at))

async function takeMail(tx: Transaction, id: string) {
  const mail = await takeFailedMail(tx, id)
  if (!mail) throw new Problem('payments.not_waiting')
  return mail
}
