// Afterwards: what Stripe has, beside what the shop has. Every payment once, every refund once, every cent.
import type { Sales } from '#contract/reports/sales.ts'
import { openDatabase } from '#platform/db/client.ts'
import { startEmbeddedPostgres } from '@lectern/postgres'
import { createLog } from '#platform/log.ts'
import type { StripeStandIn } from '@lectern/stripe-stand-in'
import type { PaidLedger } from './payers.ts'
import type { Receipts } from './receipts.ts'
import { auditSums } from './sums.ts'
import type { Findings } from './scenario.ts'

type Row = {
  id: string
  status: string
  amount: number
  session_id: string | null
  payment_intent: string | null
}
type Adjustment = { purchase_id: string; kind: string; external_id: string | null; amount: number }
type Request = { purchase_id: string; status: string; amount: number }

type Found = { stripe: StripeStandIn; ledger: PaidLedger; receipts: Receipts; totals: Sales['totals'] }

const cents = (dollars: number) => Math.round(dollars * 100)
const total = (numbers: number[]) => numbers.reduce((sum, each) => sum + each, 0)
const counts = new Set(['completed', 'partially_refunded', 'refunded', 'disputed'])

export async function auditMoney(dataDir: string, found: Found): Promise<Omit<Findings, 'recoveries'>> {
  const { stripe, ledger, receipts, totals } = found
  await using postgres = await startEmbeddedPostgres({ dataDir, log: createLog('error') })
  await using database = openDatabase(postgres.url)
  const read = async <Each extends object>(query: string) => (await database.pool.query<Each>(query)).rows
  const rows = await read<Row>(
    'select id, status, amount, session_id, payment_intent from purchases left join checkouts on purchase_id = id',
  )
  const adjustments = await read<Adjustment>('select purchase_id, kind, external_id, amount from adjustments')
  const requests = await read<Request>('select purchase_id, status, amount from refund_requests')
  const sums = await auditSums(database)

  const sessions = [...stripe.sessions.values()]
  const paid = sessions.filter(({ status }) => status === 'complete')
  const bySession = Map.groupBy(rows, ({ session_id }) => session_id)
  const statusesOf = (id: string) => (bySession.get(id) ?? []).map(({ status }) => status)
  const paidIds = new Set(paid.map(({ client_reference_id }) => client_reference_id!))
  const isLost = (id: string) => !statusesOf(id).some((status) => counts.has(status))
  const isOther = (session: (typeof paid)[number]) => {
    const [row] = bySession.get(session.id) ?? []
    return !row || cents(row.amount) !== session.amount_total || row.payment_intent !== session.payment_intent
  }
  const refunded = new Map(stripe.refunds.map(({ id, amount }) => [id, amount]))
  const isCounted = ([id, amount]: [string, number]) => {
    const known = adjustments.filter(({ external_id }) => external_id === id)
    return known.length === 1 && cents(known[0]!.amount) === -amount
  }
  const intentOf = new Map(rows.map(({ id, payment_intent }) => [id, payment_intent]))
  const doneOf = Map.groupBy(
    requests.filter(({ status }) => status === 'done'),
    ({ purchase_id }) => purchase_id,
  )
  /** What the shop believes to have given back, beside what Stripe gave. */
  const isGivenOtherwise = (id: string) => {
    const given = stripe.refunds.filter(
      (each) => each.payment_intent === intentOf.get(id) && !ledger.foreign.has(each.id),
    )
    const done = doneOf.get(id) ?? []
    const isSame = total(given.map(({ amount }) => amount)) === total(done.map(({ amount }) => cents(amount)))
    return !isSame || given.length !== done.length || done.length < (ledger.accepted.get(id) ?? 0)
  }
  const disputed = new Map(stripe.disputes.map((each) => [each.payment_intent as string, each]))
  /** A bank takes what refunds have left, until it gives it back. */
  const leftOf = ({ payment_intent, amount_total }: (typeof paid)[number]) => {
    const back = stripe.refunds.filter((each) => each.payment_intent === payment_intent)
    const dispute = disputed.get(payment_intent as string)
    return dispute && dispute.status !== 'won' ? 0 : amount_total - total(back.map(({ amount }) => amount))
  }
  const kept = total(paid.map(leftOf))
  const isWhole = (session: (typeof paid)[number]) => session.amount_total === 0 || leftOf(session) > 0
  const statusOf = new Map(rows.map(({ payment_intent, status }) => [payment_intent, status]))
  const isDisputedOtherwise = ({ id, payment_intent, status }: (typeof stripe.disputes)[number]) => {
    const known = adjustments.filter(({ external_id }) => external_id?.startsWith(id))
    const isTaken = known.filter(({ kind }) => kind === 'dispute').length
    const isBack = known.filter(({ kind }) => kind === 'dispute_won').length
    const isNow = statusOf.get(payment_intent as string) === 'disputed'
    // One that was won before the shop had heard of it leaves no trace.
    if (status === 'won') return isNow || isTaken > 1 || isTaken !== isBack
    return !isNow || isTaken !== 1 || isBack !== 0
  }
  const disputesThat = (status: string) => stripe.disputes.filter((each) => each.status === status).length
  const { webhooks } = stripe
  const { asked, ...wrong } = stripe.calls
  const buyers = new Set(paid.map(({ customer_email }) => customer_email))
  const repeated = paid.filter(({ id }) => statusesOf(id).length > 1)
  return {
    acknowledged: paid.length,
    lost: paid.filter(({ id }) => isLost(id)).length,
    doubled: repeated.length + paid.length - buyers.size,
    figures: {
      'checkouts opened': sessions.length,
      'checkouts that ran out': sessions.filter(({ status }) => status === 'expired').length,
      'purchases completed': rows.filter(({ status }) => status === 'completed').length,
      'purchases given back in part': rows.filter(({ status }) => status === 'partially_refunded').length,
      'purchases given back': rows.filter(({ status }) => status === 'refunded').length,
      'refunds at Stripe': stripe.refunds.length,
      'refunds made at Stripe itself': ledger.foreign.size,
      'disputes open': disputesThat('needs_response'),
      'disputes won': disputesThat('won'),
      'disputes lost': disputesThat('lost'),
      'refunds that Stripe refused': requests.filter(({ status }) => status === 'refused').length,
      'cents taken and kept': kept,
      'calls to Stripe': asked,
      'calls that went wrong': total(Object.values(wrong)),
      'webhooks posted': webhooks.figures.sent,
      'webhooks answered': webhooks.figures.heard,
      'events lost': webhooks.figures.lost,
      'events told twice': webhooks.figures.repeated,
      'events told late': webhooks.figures.late,
      'receipts sent more than once': [...receipts.values()].filter((count) => count > 1).length,
    },
    violations: {
      'unpaid checkouts with a purchase that counts': sessions.filter(
        ({ id, status }) => status !== 'complete' && statusesOf(id).some((each) => counts.has(each)),
      ).length,
      'purchases that count without a paid checkout': rows.filter(
        ({ id, status }) => counts.has(status) && !paidIds.has(id),
      ).length,
      'amounts or payments other than Stripe’s': paid.filter(isOther).length,
      'buyers led to two checkouts': ledger.twoCarts.length,
      'refunds not counted exactly once': [...refunded].filter((each) => !isCounted(each)).length,
      'refunds counted that Stripe never made': adjustments.filter(
        ({ kind, external_id }) => kind === 'refund' && !refunded.has(external_id ?? ''),
      ).length,
      'disputes not counted as they stand': stripe.disputes.filter(isDisputedOtherwise).length,
      'refunds still not made': requests.filter(({ status }) => status === 'requested').length,
      'purchases given back otherwise than asked': rows.filter(({ id }) => isGivenOtherwise(id)).length,
      'paid purchases without a receipt': [...paidIds].filter((id) => !receipts.has(id)).length,
      'receipts of what was not paid': [...receipts.keys()].filter((id) => !paidIds.has(id)).length,
      'cents between the kept sums and Stripe': Math.abs(
        total(sums.kept.map(({ revenue }) => cents(revenue))) - kept,
      ),
      'cents between the admin area and Stripe': Math.abs(cents(totals.total_revenue) - kept),
      'completed purchases between the admin area and Stripe': Math.abs(
        totals.completed_purchases - paid.filter(isWhole).length,
      ),
      ...sums.violations,
    },
  }
}
