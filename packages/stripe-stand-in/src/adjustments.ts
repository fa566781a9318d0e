// The ways in which money goes back: refunds, and disputes that a bank opens.
import type { Stripe } from 'stripe'
import { example, now } from './examples.ts'
import { idOf } from './id-of.ts'
import { taxBack } from './managed-payments.ts'
import { addEvent, getCharge, getIntent, getSession, type Records } from './records.ts'
import { Refusal } from './refusal.ts'

const closing: ReadonlySet<string> = new Set(['won', 'lost', 'warning_closed', 'prevented'])

/** Refunds all that is left where no amount is named. */
export function refund(
  records: Records,
  payment_intent: string,
  requested?: number,
  metadata: Stripe.Metadata = {},
): Stripe.Refund {
  const { disputes, refunds, next } = records
  const intent = getIntent(records, payment_intent)
  const isDisputed = disputes.filter(isOf(payment_intent)).some(({ status }) => status !== 'won')
  if (isDisputed) throw new Refusal('This charge has been charged back.')
  const left = intent.amount - refunded(records, payment_intent)
  const amount = requested ?? left
  if (left === 0) throw new Refusal('This charge has already been refunded.')
  if (amount > left) throw new Refusal('Refund amount is greater than unrefunded amount on charge')
  const { currency, latest_charge: charge, presentment_details: shown } = intent
  const presentment_details = shown && {
    ...shown,
    presentment_amount: Math.round((shown.presentment_amount * amount) / intent.amount),
  }
  const made = example('refund', {
    payment_intent,
    amount,
    currency,
    metadata,
    charge,
    ...(presentment_details && { presentment_details }),
  })
  refunds.push(made)
  followTax(records, payment_intent)
  addEvent(records, 'charge.refunded', chargeOf(records, payment_intent))
  if (next.fails) failRefund(records, made.id)
  next.fails = false
  return made
}

/** The bank did not take it: the money is back in the account. */
export function failRefund(
  records: Records,
  id: string,
  failure_reason = 'expired_or_canceled_card',
): Stripe.Refund {
  const made = records.refunds.find((each) => each.id === id)
  if (!made) throw new Refusal(`No such refund: '${id}'`)
  addEvent(records, 'refund.failed', Object.assign(made, { status: 'failed', failure_reason }))
  followTax(records, idOf(made.payment_intent))
  return made
}

/** What Link has withheld of this payment is the tax of what is left of it. */
function followTax(records: Records, payment_intent: string): void {
  const { withheld } = records
  const rows = withheld.filter(isOf(payment_intent))
  const [paid] = rows
  if (!paid) return
  const { amount } = getIntent(records, payment_intent)
  const back = taxBack({ tax: paid.tax, refunded: refunded(records, payment_intent), paid: amount })
  const held = rows.reduce((sum, { tax }) => sum + tax, 0)
  withheld.push({ payment_intent, tax: paid.tax - back - held, created: now() })
}

/** Opens one, over all or some of the cents, or changes the status of the one there is. */
export function dispute(
  records: Records,
  session_id: string,
  status: Stripe.Dispute.Status,
  part?: number,
): Stripe.Dispute {
  const payment_intent = idOf(getSession(records, session_id).payment_intent)
  const opened = records.disputes.find(isOf(payment_intent))
  if (opened && opened.status !== status) {
    const type = closing.has(status) ? 'charge.dispute.closed' : 'charge.dispute.updated'
    addEvent(records, type, Object.assign(opened, { status }))
  }
  if (opened) return opened
  const { amount: all, currency, latest_charge } = getIntent(records, payment_intent)
  const amount = part ?? all
  const charge = idOf(latest_charge)
  const made = example('dispute', { payment_intent, amount, currency, status, charge })
  records.disputes.push(made)
  addEvent(records, 'charge.dispute.created', made)
  return made
}

/** A charge as it is after its refunds and disputes. */
export function chargeOf(records: Records, payment_intent: string): Stripe.Charge {
  const { amount, latest_charge } = getIntent(records, payment_intent)
  const amount_refunded = refunded(records, payment_intent)
  // An inquiry does not mark its charge.
  const disputed = records.disputes
    .filter(isOf(payment_intent))
    .some(({ status }) => !status.startsWith('warning_'))
  const made = getCharge(records, idOf(latest_charge))
  return { ...made, amount_refunded, refunded: amount_refunded === amount, disputed }
}

function isOf(payment_intent: string) {
  return (row: { payment_intent: unknown }) => row.payment_intent === payment_intent
}

/** Cents that have gone back, or are about to. */
function refunded({ refunds }: Records, payment_intent: string): number {
  return refunds
    .filter(isOf(payment_intent))
    .filter(({ status }) => status !== 'failed' && status !== 'canceled')
    .reduce((sum, { amount }) => sum + amount, 0)
}
