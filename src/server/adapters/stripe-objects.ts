// What Stripe's objects say in the shop's words, and the other way round: minor units, seconds, ids.
import type Stripe from 'stripe'
import { id } from '#contract/fields.ts'
import { formatOrderNumber } from '#contract/order-number.ts'
import type { PostalAddress } from '#contract/postal.ts'
import type { PaymentSettings } from '../config.ts'
import type { Checkout, CheckoutOrder, MoneyBack, PaymentEvent } from './payments.ts'

type Back = Pick<Checkout, 'moneyBack' | 'answer_by' | 'disputed_at' | 'dispute_status'>

export function sessionOf(
  { purchase_id, number, product, email, success_url, cancel_url }: CheckoutOrder,
  { hasTax, hasTaxIds, hasInvoices }: PaymentSettings,
  countries: readonly string[],
): Stripe.Checkout.SessionCreateParams {
  const order = formatOrderNumber(number)
  const metadata = { purchase_id, product_id: product.id, order }
  return {
    mode: 'payment',
    client_reference_id: purchase_id,
    metadata,
    payment_intent_data: { description: `Order ${order}: ${product.name}`, metadata },
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: toMinor(product.price, 'usd'),
          product_data: { name: product.name },
        },
      },
    ],
    customer_email: email,
    success_url,
    cancel_url,
    allow_promotion_codes: true,
    automatic_tax: { enabled: hasTax },
    tax_id_collection: { enabled: hasTaxIds },
    invoice_creation: { enabled: hasInvoices },
    ...(product.ships && {
      shipping_address_collection: { allowed_countries: countries as Countries },
      phone_number_collection: { enabled: true },
    }),
  }
}

type Countries = Stripe.Checkout.SessionCreateParams.ShippingAddressCollection.AllowedCountry[]

export function toCheckout(session: Stripe.Checkout.Session, back: Back): Checkout {
  const { payment_intent, invoice, total_details } = session
  const currency = session.currency ?? ''
  const amountOf = (minor: number | null | undefined) => fromMinor(minor ?? 0, currency)
  return {
    session_id: session.id,
    status: statusOf(session),
    url: session.url,
    success_url: session.success_url,
    purchase_id: id.safeParse(session.metadata?.['purchase_id']).data ?? null,
    product_id: session.metadata?.['product_id'] ?? null,
    currency,
    subtotal: amountOf(session.amount_subtotal),
    total: amountOf(session.amount_total),
    tax: amountOf(total_details?.amount_tax),
    discount: amountOf(total_details?.amount_discount),
    payment_intent: idOf(payment_intent),
    invoice_url: typeof invoice === 'object' ? (invoice?.hosted_invoice_url ?? null) : null,
    address: addressOf(session),
    ...back,
  }
}

/** "waiting": all was filled in, and the bank takes days to pay or to refuse. */
function statusOf({ status, payment_status, payment_intent }: Stripe.Checkout.Session): Checkout['status'] {
  if (status === 'open') return 'open'
  if (status === 'expired') return 'ended'
  if (payment_status !== 'unpaid') return 'paid'
  const hasFailed =
    typeof payment_intent === 'object' &&
    (payment_intent?.status === 'requires_payment_method' || payment_intent?.status === 'canceled')
  return hasFailed ? 'ended' : 'waiting'
}

function addressOf({
  collected_information,
  customer_details,
}: Stripe.Checkout.Session): PostalAddress | undefined {
  const details = collected_information?.shipping_details
  if (!details) return undefined
  const { line1, line2, city, state, postal_code, country } = details.address
  return {
    name: details.name,
    line1: line1 ?? '',
    line2: line2 ?? '',
    city: city ?? '',
    state: state ?? '',
    postal_code: postal_code ?? '',
    country: country ?? '',
    phone: customer_details?.phone ?? '',
  }
}

/**
 * Asked only where the charge says that there is something: most purchases stay what they are. One question after the
 * other: whoever asks has one open at a time.
 */
export async function readBack(
  stripe: Stripe,
  { payment_intent }: Stripe.Checkout.Session,
  isSure: boolean,
  patience: Stripe.RequestOptions,
): Promise<Back> {
  const charge = typeof payment_intent === 'object' ? payment_intent?.latest_charge : undefined
  if (!charge || typeof charge === 'string') return { moneyBack: [], answer_by: null, ...latestOf([]) }
  const of = { payment_intent: idOf(payment_intent)!, limit: 100 }
  const hasRefunds = isSure || charge.amount_refunded > 0
  const hasDisputes = isSure || charge.disputed
  const refunds = hasRefunds ? (await stripe.refunds.list(of, patience)).data : []
  const disputes = hasDisputes ? (await stripe.disputes.list(of, patience)).data : []
  const moneyBack = [
    ...refunds.map((refund) => {
      const isReversed = refund.status === 'failed' || refund.status === 'canceled'
      return moneyBackOf('refund', refund, isReversed, refund.metadata?.['request_id'])
    }),
    ...disputes
      .filter(({ status }) => !status.startsWith('warning_'))
      .map((dispute) => moneyBackOf('dispute', dispute, dispute.status === 'won')),
  ]
  return { moneyBack, answer_by: answerBy(disputes), ...latestOf(disputes) }
}

function latestOf(disputes: readonly Stripe.Dispute[]): Pick<Checkout, 'disputed_at' | 'dispute_status'> {
  const latest = disputes.toSorted((one, other) => other.created - one.created)[0]
  return { disputed_at: latest ? fromSeconds(latest.created) : null, dispute_status: latest?.status ?? null }
}

/** Also of an inquiry, which takes no money yet. */
function answerBy(disputes: readonly Stripe.Dispute[]): Date | null {
  const ends = disputes
    .filter(({ status }) => status === 'needs_response' || status === 'warning_needs_response')
    .flatMap(({ evidence_details }) => evidence_details.due_by ?? [])
  return ends.length > 0 ? fromSeconds(Math.min(...ends)) : null
}

function moneyBackOf(
  kind: MoneyBack['kind'],
  { id, amount: minor, currency, created }: Pick<Stripe.Refund, 'id' | 'amount' | 'currency' | 'created'>,
  isReversed: boolean,
  key: string | null = null,
): MoneyBack {
  const amount = fromMinor(minor, currency)
  return { external_id: id, kind, amount, created_at: fromSeconds(created), key, isReversed }
}

/** Only the ids: what has become of them is asked of Stripe. */
export function toEvent({ id, type, data, created }: Stripe.Event): PaymentEvent {
  const object = data.object as {
    object: string
    id?: string
    payment_intent?: string | { id: string } | null
  }
  const isSession = object.object === 'checkout.session'
  return {
    id,
    type,
    created_at: fromSeconds(created),
    session_id: isSession ? (object.id ?? null) : null,
    payment_intent:
      object.object === 'payment_intent' ? (object.id ?? null) : idOf(object.payment_intent ?? null),
  }
}

function idOf(value: string | { id: string } | null): string | null {
  return typeof value === 'string' ? value : (value?.id ?? null)
}

/**
 * Currencies that Stripe does not count in hundredths (docs.stripe.com/currencies). ISK and UGX have no cents any more,
 * but still are. Of thousandths the last digit is always 0, so that two decimals say all of it.
 */
const inWholes: ReadonlySet<string> = new Set(
  'bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '),
)
const inThousandths: ReadonlySet<string> = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd'])

function minorUnitsOf(currency: string): number {
  if (inWholes.has(currency)) return 1
  return inThousandths.has(currency) ? 1000 : 100
}

export const toMinor = (amount: number, currency: string) => Math.round(amount * minorUnitsOf(currency))
const fromMinor = (minor: number, currency: string) => minor / minorUnitsOf(currency)
export const toSeconds = (moment: Date) => Math.floor(moment.getTime() / 1000)
export const fromSeconds = (seconds: number) => new Date(seconds * 1000)
