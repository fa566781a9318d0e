// A checkout as Stripe makes it of what the shop asks for.
import { randomUUID } from 'node:crypto'
import type { Stripe } from 'stripe'
import { example, now } from './examples.ts'

/** A session in payment mode always has its amounts; of its one line, there is only what the shop and the pages read. */
export type Session = Omit<Stripe.Checkout.Session, 'line_items'> & {
  amount_subtotal: number
  amount_total: number
  /** The line's behavior as the shop asked for it; Stripe has it in the line's price. Null: as the account has preset. */
  tax_behavior: string | null
  /** The name of the rate that is chosen; Stripe has it in the rate's own object. */
  shipping_name: string | null
  line_items: { object: 'list'; data: Line[]; has_more: boolean; url: string }
}
type Line = { description: string | null; amount_total: number }

const lifetimeSeconds = 86_400

export function newSession(form: URLSearchParams, url: string): Session {
  const item = (name: string) => form.get(`line_items[0][price_data]${name}`)
  const cents = Number(item('[unit_amount]')) * Number(form.get('line_items[0][quantity]') ?? 1)
  const rate = firstRate(form)
  const shipping = rate?.amount ?? 0
  const isOn = (name: string) => form.get(name) === 'true'
  const session = example('checkout.session', {
    currency: item('[currency]'),
    amount_subtotal: cents,
    amount_total: cents + shipping,
    total_details: { amount_discount: 0, amount_tax: 0, amount_shipping: shipping },
    expires_at: now() + lifetimeSeconds,
    client_reference_id: form.get('client_reference_id'),
    metadata: metadataOf(form),
    customer_email: form.get('customer_email'),
    customer_details: null,
    success_url: form.get('success_url'),
    cancel_url: form.get('cancel_url'),
    allow_promotion_codes: isOn('allow_promotion_codes'),
    phone_number_collection: { enabled: isOn('phone_number_collection[enabled]') },
    shipping_address_collection: countriesOf(form),
    payment_intent: null,
    invoice: null,
    // The example fills in what this checkout has not.
    shipping_cost: shippingCost(rate),
    shipping_options: rate ? [{ shipping_amount: shipping, shipping_rate: rate.id }] : [],
    collected_information: null,
    currency_conversion: null,
    after_expiration: null,
  })
  session.automatic_tax.enabled = isOn('automatic_tax[enabled]')
  if (session.invoice_creation)
    Object.assign(session.invoice_creation, {
      enabled: isOn('invoice_creation[enabled]'),
      invoice_data: { metadata: metadataOf(form, 'invoice_creation[invoice_data][metadata]') },
    })
  const line = { description: item('[product_data][name]'), amount_total: cents }
  return {
    ...session,
    amount_subtotal: cents,
    amount_total: cents + shipping,
    tax_behavior: item('[tax_behavior]'),
    shipping_name: rate?.name ?? null,
    line_items: { object: 'list', data: [line], has_more: false, url: '' },
    url: `${url}/pay/${session.id}`,
  }
}

type Rate = { id: string; name: string; amount: number }

/** Checkout preselects the first. */
function firstRate(form: URLSearchParams): Rate | undefined {
  const rate = (name: string) => form.get(`shipping_options[0][shipping_rate_data]${name}`)
  const amount = rate('[fixed_amount][amount]')
  if (amount === null) return undefined
  return { id: `shr_${randomUUID()}`, name: rate('[display_name]') ?? '', amount: Number(amount) }
}

function shippingCost(rate: Rate | undefined): Session['shipping_cost'] {
  if (!rate) return null
  const { id: shipping_rate, amount } = rate
  return { amount_subtotal: amount, amount_tax: 0, amount_total: amount, shipping_rate }
}

export function metadataOf(form: URLSearchParams, at = 'metadata'): Record<string, string> {
  const entries = [...form].flatMap(([name, value]) =>
    name.startsWith(`${at}[`) ? [[name.slice(at.length + 1, -1), value] as const] : [],
  )
  return Object.fromEntries(entries)
}

function countriesOf(form: URLSearchParams): Session['shipping_address_collection'] {
  const prefix = 'shipping_address_collection[allowed_countries]'
  const countries = [...form].flatMap(([name, value]) => (name.startsWith(prefix) ? [value] : []))
  return countries.length > 0 ? { allowed_countries: countries } : null
}
