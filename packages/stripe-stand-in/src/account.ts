// What a Stripe account holds, and what can be done with it: checkouts that are paid, refunds, disputes.
import type { Stripe } from 'stripe'
import { idOf } from './id-of.ts'
import { example } from './examples.ts'
import { newSession, type Session } from './new-session.ts'
import { Refusal } from './refusal.ts'

export type Address = { name: string; address: Stripe.Address; phone: string }

export type Payment = {
  /** Cents. */
  discount?: number
  tax?: number
  /** The tax is part of the price. */
  isTaxIncluded?: boolean
  /** The invoice is made some time after the payment, by `makeInvoice`. */
  isInvoiceLate?: boolean
  ships_to?: Address | undefined
  /** By a bank that takes days: all is filled in, and no money has come yet. */
  isSlow?: boolean
}

const closing: ReadonlySet<string> = new Set(['won', 'lost', 'warning_closed', 'prevented'])

/** Of a payment in dollars, unless it is for nothing (docs.stripe.com/currencies#minimum-and-maximum-charge-amounts). */
const leastCents = 50
const mostCents = 99_999_999

export type Account = ReturnType<typeof openAccount>

type Kept = {
  sessions: [string, Session][]
  intents: [string, Stripe.PaymentIntent][]
  charges: [string, Stripe.Charge][]
  invoices: [string, Stripe.Invoice][]
  refunds: Stripe.Refund[]
  disputes: Stripe.Dispute[]
  events: Stripe.Event[]
}

/** `kept` is what `keep` gave before. */
export function openAccount(url: string, kept?: Kept) {
  const sessions = new Map(kept?.sessions)
  const intents = new Map(kept?.intents)
  const charges = new Map(kept?.charges)
  const invoices = new Map(kept?.invoices)
  const refunds = [...(kept?.refunds ?? [])]
  const disputes = [...(kept?.disputes ?? [])]
  const events = [...(kept?.events ?? [])]
  const next = { fails: false }
  /** What Stripe Tax still wants to know; nothing, and it is active. */
  const tax = { missing: [] as string[] }

  /** Whether it is told or not: as the object is now. */
  function happen(type: string, object: object): Stripe.Event {
    const data = { object: structuredClone(object) }
    const event = example('event', { type, data } as Partial<Stripe.Event>)
    events.push(event)
    return event
  }

  /** What has happened last of this kind to this object; where nothing has, it happens now. */
  function eventOf(type: string, object: object): Stripe.Event {
    const { id } = object as { id?: string }
    const isIt = (event: Stripe.Event) =>
      event.type === type && (event.data.object as { id?: string }).id === id
    return events.findLast(isIt) ?? happen(type, object)
  }

  function createSession(form: URLSearchParams): Session {
    const session = newSession(form, url)
    const { amount_total } = session
    if (amount_total > 0 && amount_total < leastCents)
      throw new Refusal("The Checkout Session's total amount must convert to at least 50 cents.", {
        code: 'amount_too_small',
      })
    if (amount_total > mostCents)
      throw new Refusal("The Checkout Session's total amount due must be no more than $999,999.99", {
        code: 'amount_too_large',
      })
    if (session.automatic_tax.enabled && tax.missing.length > 0)
      throw new Refusal(
        'You must have a valid head office address to enable automatic tax calculation in test mode. Visit https://dashboard.stripe.com/test/settings/tax to update it.',
      )
    sessions.set(session.id, session)
    return session
  }

  function pay(session_id: string, payment: Payment = {}): Session {
    const { discount = 0, tax = 0, isTaxIncluded, ships_to, isSlow, isInvoiceLate } = payment
    const session = openSession(session_id)
    const amount_total = session.amount_subtotal - discount + (isTaxIncluded ? 0 : tax)
    const email = session.customer_email
    Object.assign(session, {
      status: 'complete',
      // Stripe makes no payment of nothing.
      payment_status: amount_total === 0 ? 'no_payment_required' : 'paid',
      payment_intent: amount_total === 0 ? null : charge(session, amount_total),
      amount_total,
      total_details: { amount_discount: discount, amount_tax: tax, amount_shipping: 0 },
      customer_details: { ...session.customer_details, email, phone: ships_to?.phone ?? null },
      collected_information: ships_to && {
        shipping_details: { name: ships_to.name, address: ships_to.address },
      },
      url: null,
    })
    if (session.invoice_creation?.enabled && !isInvoiceLate) makeInvoice(session)
    if (isSlow) {
      session.payment_status = 'unpaid'
      intents.get(idOf(session.payment_intent))!.status = 'processing'
    }
    happen('checkout.session.completed', session)
    return session
  }

  /** The money of a slow payment. */
  function arrive(session_id: string): void {
    const session = sessions.get(session_id)!
    session.payment_status = 'paid'
    intents.get(idOf(session.payment_intent))!.status = 'succeeded'
    happen('checkout.session.async_payment_succeeded', session)
  }

  function openSession(session_id: string): Session {
    const session = sessions.get(session_id)
    if (!session) throw new Refusal(`No such checkout.session: '${session_id}'`)
    if (session.status !== 'open') throw new Refusal('Only open sessions can be paid or expired.')
    return session
  }

  function charge({ currency, metadata }: Session, amount: number): string {
    const money = { amount, currency: currency ?? 'usd', metadata: metadata ?? {} }
    const intent = example('payment_intent', {
      ...money,
      amount_received: amount,
      status: 'succeeded',
      canceled_at: null,
      last_payment_error: null,
      next_action: null,
    })
    const made = example('charge', {
      ...money,
      amount_captured: amount,
      captured: true,
      payment_intent: intent.id,
    })
    intents.set(intent.id, { ...intent, latest_charge: made.id })
    charges.set(made.id, made)
    return intent.id
  }

  function makeInvoice(session: Session): Stripe.Invoice {
    const { amount_subtotal: subtotal, amount_total: total, currency, invoice_creation } = session
    const paid = { amount_due: total, amount_paid: total, amount_remaining: 0, status: 'paid' as const }
    const metadata = invoice_creation?.invoice_data.metadata ?? {}
    const made = example('invoice', { ...paid, subtotal, total, currency: currency ?? 'usd', metadata })
    const invoice = { ...made, hosted_invoice_url: `${url}/invoice/${made.id}` }
    invoices.set(invoice.id, invoice)
    session.invoice = invoice.id
    happen('invoice.paid', invoice)
    return invoice
  }

  function expire(session_id: string): Session {
    const session = Object.assign(openSession(session_id), { status: 'expired' as const, url: null })
    happen('checkout.session.expired', session)
    return session
  }

  function isOf(payment_intent: string) {
    return (row: { payment_intent: unknown }) => row.payment_intent === payment_intent
  }

  /** Cents that have gone back, or are about to. */
  function refunded(payment_intent: string): number {
    return refunds
      .filter(isOf(payment_intent))
      .filter(({ status }) => status !== 'failed' && status !== 'canceled')
      .reduce((sum, { amount }) => sum + amount, 0)
  }

  /** Without an amount, all that is left. */
  function refund(payment_intent: string, wanted?: number, metadata: Stripe.Metadata = {}): Stripe.Refund {
    const intent = intents.get(payment_intent)
    if (!intent) throw new Refusal(`No such payment_intent: '${payment_intent}'`)
    const isDisputed = disputes.filter(isOf(payment_intent)).some(({ status }) => status !== 'won')
    if (isDisputed) throw new Refusal('This charge has been charged back.')
    const left = intent.amount - refunded(payment_intent)
    const amount = wanted ?? left
    if (left === 0) throw new Refusal('This charge has already been refunded.')
    if (amount > left) throw new Refusal('Refund amount is greater than unrefunded amount on charge')
    const { currency, latest_charge: charge } = intent
    const made = example('refund', { payment_intent, amount, currency, metadata, charge })
    refunds.push(made)
    happen('charge.refunded', chargeOf(payment_intent))
    if (next.fails) failRefund(made.id)
    next.fails = false
    return made
  }

  /** The bank did not take it: the money is back in the account. */
  function failRefund(id: string, failure_reason = 'expired_or_canceled_card'): Stripe.Refund {
    const made = refunds.find((each) => each.id === id)
    if (!made) throw new Refusal(`No such refund: '${id}'`)
    happen('refund.failed', Object.assign(made, { status: 'failed', failure_reason }))
    return made
  }

  /** Opens one, over all or some of the cents, or brings the one there is to another state. */
  function dispute(session_id: string, status: Stripe.Dispute.Status, part?: number): Stripe.Dispute {
    const payment_intent = idOf(sessions.get(session_id)?.payment_intent)
    const known = disputes.find(isOf(payment_intent))
    if (known && known.status !== status) {
      const type = closing.has(status) ? 'charge.dispute.closed' : 'charge.dispute.updated'
      happen(type, Object.assign(known, { status }))
    }
    if (known) return known
    const { amount: all, currency, latest_charge } = intents.get(payment_intent)!
    const amount = part ?? all
    const charge = idOf(latest_charge)
    const made = example('dispute', { payment_intent, amount, currency, status, charge })
    disputes.push(made)
    happen('charge.dispute.created', made)
    return made
  }

  /** A charge as it is after its refunds and disputes. */
  function chargeOf(payment_intent: string): Stripe.Charge {
    const { amount, latest_charge } = intents.get(payment_intent)!
    const amount_refunded = refunded(payment_intent)
    // An inquiry does not mark its charge.
    const disputed = disputes
      .filter(isOf(payment_intent))
      .some(({ status }) => !status.startsWith('warning_'))
    const made = charges.get(idOf(latest_charge))!
    return { ...made, amount_refunded, refunded: amount_refunded === amount, disputed }
  }

  return {
    url,
    sessions,
    intents,
    invoices,
    refunds,
    disputes,
    events,
    eventOf,
    createSession,
    pay,
    arrive,
    expire,
    refund,
    failRefund,
    next,
    makeInvoice,
    tax,
    taxSettings: () => taxSettingsOf(tax.missing),
    dispute,
    chargeOf,
    keep: (): Kept => ({
      sessions: [...sessions],
      intents: [...intents],
      charges: [...charges],
      invoices: [...invoices],
      refunds,
      disputes,
      events,
    }),
  }
}

function taxSettingsOf(missing_fields: readonly string[]): object {
  const isActive = missing_fields.length === 0
  return {
    object: 'tax.settings',
    status: isActive ? 'active' : 'pending',
    status_details: isActive ? { active: {} } : { pending: { missing_fields } },
  }
}
