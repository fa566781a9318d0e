// The life of a checkout: it is created, paid at once or slowly, or it expires.
import type { Stripe } from 'stripe'
import { requireChargeable } from './charge-limits.ts'
import { example } from './examples.ts'
import { idOf } from './id-of.ts'
import { isManaged, requireManageable } from './managed-payments.ts'
import { newSession, type Session } from './new-session.ts'
import { addEvent, getIntent, getSession, type Records } from './records.ts'
import { Refusal } from './refusal.ts'

export type Address = { name: string; address: Stripe.Address; phone: string }

export type Payment = {
  /** Cents. */
  discount?: number
  tax?: number
  /** The tax is part of the price; else as the session says of its line. */
  isTaxIncluded?: boolean
  /** The invoice is made some time after the payment, by `makeInvoice`. */
  isInvoiceLate?: boolean
  ships_to?: Address | undefined
  /** Beside the card; else that of the parcel. */
  payer_name?: string | undefined
  /** The country of the card; else that of the parcel. */
  billing_country?: string
  /** The amount that Adaptive Pricing shows, in minor units of the buyer's currency; all else stays in the session's. */
  presented?: { amount: number; currency: string }
  /** True for a bank that takes days: all is filled in, and no money has come yet. */
  isSlow?: boolean
}

export function createSession(
  { sessions, tax, managedPayments, profile }: Records,
  form: URLSearchParams,
  url: string,
): Session {
  const session = newSession(form, url)
  const isOfLink = !managedPayments.isIgnored && isManaged(form, managedPayments.isDefault)
  if (isOfLink) requireManageable(form, managedPayments)
  session.managed_payments = managedPayments.isIgnored ? null : { enabled: isOfLink }
  requireChargeable(session.amount_total, session.currency ?? '')
  if (session.automatic_tax.enabled && tax.missing.length > 0)
    throw new Refusal(
      'You must have a valid head office address to enable automatic tax calculation in test mode. Visit https://dashboard.stripe.com/test/settings/tax to update it.',
    )
  if (profile.isLive && !profile.chargesEnabled)
    throw new Refusal('Your account cannot currently make live charges.')
  // Link works out the tax itself, whatever Stripe Tax lacks.
  if (isOfLink) session.automatic_tax.enabled = true
  sessions.set(session.id, session)
  return session
}

const noAddress = { city: null, line1: null, line2: null, postal_code: null, state: null }

export function pay(records: Records, session_id: string, payment: Payment, url: string): Session {
  const { discount = 0, tax = 0, ships_to, payer_name, billing_country, isSlow, isInvoiceLate } = payment
  const presentment_details = payment.presented && {
    presentment_amount: payment.presented.amount,
    presentment_currency: payment.presented.currency,
  }
  const session = openSession(records, session_id)
  const isTaxIncluded = payment.isTaxIncluded ?? session.tax_behavior === 'inclusive'
  const shipping = session.shipping_cost?.amount_subtotal ?? 0
  const amount_total = session.amount_subtotal - discount + shipping + (isTaxIncluded ? 0 : tax)
  const email = session.customer_email
  // Stripe makes no payment of nothing.
  const intent = amount_total === 0 ? null : charge(records, session, amount_total)
  Object.assign(session, {
    status: 'complete',
    payment_status: intent ? 'paid' : 'no_payment_required',
    payment_intent: intent && intent.id,
    amount_total,
    total_details: { amount_discount: discount, amount_tax: tax, amount_shipping: shipping },
    customer_details: {
      ...session.customer_details,
      email,
      name: payer_name ?? ships_to?.name ?? null,
      phone: ships_to?.phone ?? null,
      address: billing_country ? { ...noAddress, country: billing_country } : (ships_to?.address ?? null),
    },
    collected_information: ships_to && {
      shipping_details: { name: ships_to.name, address: ships_to.address },
    },
    url: null,
    ...(presentment_details && { presentment_details }),
  })
  const isOfLink = session.managed_payments?.enabled === true
  if (intent && presentment_details) Object.assign(intent, { presentment_details })
  if (intent && isOfLink) records.withheld.push({ payment_intent: intent.id, tax, created: intent.created })
  if (isOfLink && intent) makeInvoice(records, session, url)
  if (session.invoice_creation?.enabled && !isInvoiceLate) makeInvoice(records, session, url)
  if (isSlow && intent) {
    session.payment_status = 'unpaid'
    intent.status = 'processing'
  }
  addEvent(records, 'checkout.session.completed', session)
  return session
}

/** The money of a slow payment. */
export function arrive(records: Records, session_id: string): void {
  const session = getSession(records, session_id)
  session.payment_status = 'paid'
  getIntent(records, idOf(session.payment_intent)).status = 'succeeded'
  addEvent(records, 'checkout.session.async_payment_succeeded', session)
}

export function expire(records: Records, session_id: string): Session {
  const session = Object.assign(openSession(records, session_id), { status: 'expired' as const, url: null })
  addEvent(records, 'checkout.session.expired', session)
  return session
}

function openSession(records: Records, session_id: string): Session {
  const session = getSession(records, session_id)
  if (session.status !== 'open') throw new Refusal('Only open sessions can be paid or expired.')
  return session
}

function charge(
  { intents, charges }: Records,
  { currency, metadata }: Session,
  amount: number,
): Stripe.PaymentIntent {
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
  intent.latest_charge = made.id
  intents.set(intent.id, intent)
  charges.set(made.id, made)
  return intent
}

export function makeInvoice(records: Records, session: Session, url: string): Stripe.Invoice {
  const { amount_subtotal: subtotal, amount_total: total, currency, invoice_creation } = session
  const paid = { amount_due: total, amount_paid: total, amount_remaining: 0, status: 'paid' as const }
  const metadata = invoice_creation?.invoice_data.metadata ?? {}
  const made = example('invoice', { ...paid, subtotal, total, currency: currency ?? 'usd', metadata })
  const invoice = { ...made, hosted_invoice_url: `${url}/invoice/${made.id}` }
  records.invoices.set(invoice.id, invoice)
  session.invoice = invoice.id
  addEvent(records, 'invoice.paid', invoice)
  return invoice
}
