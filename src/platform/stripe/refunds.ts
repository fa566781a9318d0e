// Reads refunds and disputes of a charge from Stripe.
import type Stripe from 'stripe'
import type { Checkout, ReportedAdjustment, Payments } from './payments.ts'
import type { Ask } from './errors.ts'
import { fromMinor, fromSeconds, idOf, toSeconds } from './conversions.ts'

export type Adjustments = Pick<
  Checkout,
  'reportedAdjustments' | 'answer_by' | 'disputed_at' | 'dispute_status'
>

// A charge names no refund that failed and no inquiry. One request at a time, as workers have one open each.
export async function readAdjustments(
  stripe: Stripe,
  ask: Ask['ask'],
  { payment_intent: of }: Stripe.Checkout.Session,
  options: Stripe.RequestOptions,
): Promise<Adjustments> {
  const payment_intent = idOf(of)
  if (!payment_intent) return { reportedAdjustments: [], answer_by: null, ...decidingOf([]) }
  const params = { payment_intent, limit: 100 }
  const refunds = (await ask('refunds.list', () => stripe.refunds.list(params, options))).data
  const disputes = (await ask('disputes.list', () => stripe.disputes.list(params, options))).data
  const reportedAdjustments = [
    ...refunds.map(refundOf),
    ...disputes.filter(({ status }) => !isInquiry(status)).map(disputeOf),
  ]
  const oldestFirst = reportedAdjustments.toSorted((a, b) => a.created_at.getTime() - b.created_at.getTime())
  return { reportedAdjustments: oldestFirst, answer_by: answerBy(disputes), ...decidingOf(disputes) }
}

export const createListAdjustments =
  (stripe: Stripe, ask: Ask['ask'], options: Stripe.RequestOptions): Payments['listAdjustments'] =>
  (list, { from, after }) =>
    ask(`${list}.list`, async () => {
      const page = { created: { gte: toSeconds(from) }, limit: 100, ...(after && { starting_after: after }) }
      const { data, has_more } = await stripe[list].list(page, options)
      return { listed: data.map(toListedAdjustment), hasMore: has_more }
    })

function toListedAdjustment({ id, status, payment_intent, created }: Stripe.Refund | Stripe.Dispute) {
  const created_at = fromSeconds(created)
  return { external_id: id, status: status ?? '', payment_intent: idOf(payment_intent), created_at }
}

/** The bank only asks, and has taken no money. */
export const isInquiry = (status: string) => status.startsWith('warning_')

const ended: ReadonlySet<string> = new Set(['won', 'lost', 'warning_closed', 'prevented'])

/** The latest that is open; else the latest that was lost, whose money stays away; else the latest. */
function decidingOf(disputes: readonly Stripe.Dispute[]): Pick<Checkout, 'disputed_at' | 'dispute_status'> {
  const latestFirst = disputes.toSorted((one, other) => other.created - one.created)
  const open = latestFirst.find(({ status }) => !ended.has(status))
  const deciding = open ?? latestFirst.find(({ status }) => status === 'lost') ?? latestFirst[0]
  return {
    disputed_at: deciding ? fromSeconds(deciding.created) : null,
    dispute_status: deciding?.status ?? null,
  }
}

/** Has inquiries, too, which take no money yet, and appeals against a lost dispute. */
const wantsAnswer: ReadonlySet<string> = new Set([
  'needs_response',
  'warning_needs_response',
  'appeal_needs_response',
])

function answerBy(disputes: readonly Stripe.Dispute[]): Date | null {
  const ends = disputes
    .filter(({ status }) => wantsAnswer.has(status))
    .flatMap(({ evidence_details }) => evidence_details.due_by ?? [])
  return ends.length > 0 ? fromSeconds(Math.min(...ends)) : null
}

function refundOf({ status, metadata, failure_reason, ...refund }: Stripe.Refund): ReportedAdjustment {
  const isReversed = status === 'failed' || status === 'canceled'
  const canceled = 'The refund was canceled.'
  const why = failures[failure_reason ?? ''] ?? 'The bank did not take it.'
  const failure = status === 'canceled' ? canceled : why
  const key = metadata?.['request_id'] ?? null
  return {
    kind: 'refund',
    ...amountOf(refund),
    key,
    isReversed,
    isOpen: false,
    failure: isReversed ? failure : null,
  }
}

function disputeOf({ status, ...dispute }: Stripe.Dispute): ReportedAdjustment {
  const isReversed = status === 'won'
  const isOpen = !isReversed && status !== 'lost'
  return { kind: 'dispute', ...amountOf(dispute), key: null, isReversed, isOpen, failure: null }
}

/** docs.stripe.com/api/refunds/object */
const failures: Record<string, string> = {
  lost_or_stolen_card: 'The card was lost or stolen.',
  expired_or_canceled_card: 'The card has expired or was canceled.',
  charge_for_pending_refund_disputed: 'The payment was disputed meanwhile.',
  insufficient_funds: 'There was not enough money in your Stripe account.',
  declined: 'The bank declined it.',
  merchant_request: 'It was stopped at your request.',
}

function amountOf({
  id,
  amount: minor,
  currency,
  created,
}: Pick<Stripe.Refund, 'id' | 'amount' | 'currency' | 'created'>) {
  return { external_id: id, amount: fromMinor(minor, currency), currency, created_at: fromSeconds(created) }
}
