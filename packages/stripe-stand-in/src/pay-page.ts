// The page that a checkout leads to: pay, pay and never come back, or cancel; and when the shop is told of it.
import type { Stripe } from 'stripe'
import type { Account } from './account.ts'
import type { Address, Payment } from './checkouts.ts'
import { escape, formatMinor, layout } from './layout.ts'
import type { Session } from './new-session.ts'

/** Percent off. */
const promotions: Record<string, number> = { BOOK20: 20, FREE: 100 }
/** The rate of an order whose tax Stripe is to work out. */
const taxRate = 0.08

const moments = { before: 'before the redirect', after: 'after the redirect', never: 'never' } as const
export type Moment = keyof typeof moments

export type PayResult = { html: string } | { location: string; session?: Session; tells?: Moment }

export function showPayPage(session: Session | undefined, moment: Moment, problem = ''): PayResult {
  if (!session) return { html: layout('No such checkout', '') }
  if (session.status === 'expired')
    return { html: layout('This checkout has expired', link('Back to the shop', session.cancel_url)) }
  if (session.status === 'complete')
    return { html: layout('This is paid already', link('Back to the shop', backTo(session))) }
  const [item] = session.line_items.data
  const total = formatMinor(session.amount_total, session.currency)
  const body = `
    ${session.managed_payments?.enabled ? '<p>Sold through Link</p>' : ''}
    <p>${escape(item?.description ?? '')}: <strong>${formatMinor(session.amount_subtotal, session.currency)}</strong></p>
    ${shippingLine(session)}
    <p role="alert">${escape(problem)}</p>
    <form method="post" class="pay">
      <fieldset><legend>Who pays</legend>
        ${field('Email', 'email', session.customer_email ?? '')}
        ${session.allow_promotion_codes ? field('Promotion code (BOOK20, FREE)', 'code', '', false) : ''}
      </fieldset>
      ${shippingFields(session)}
      <fieldset><legend>Webhook</legend>
        <label>The shop is told <select name="tells">${options(moments, moment)}</select></label>
      </fieldset>
      <button name="action" value="pay">Pay ${total}</button>
      <button name="action" value="lose">Pay and lose the tab</button>
      <button name="action" value="cancel" formnovalidate>Cancel</button>
      <button name="action" value="expire" formnovalidate>Let it expire</button>
    </form>`
  return { html: layout('Pay', body) }
}

function shippingLine({ shipping_cost, shipping_name, amount_total, currency }: Session): string {
  if (!shipping_cost) return ''
  const price = shipping_cost.amount_total === 0 ? 'Free' : formatMinor(shipping_cost.amount_total, currency)
  return `<p>${escape(shipping_name ?? '')}: <strong>${price}</strong></p>
    <p>Total: <strong>${formatMinor(amount_total, currency)}</strong></p>`
}

/** Does what the pressed button says; returns the address to go to, or what is shown instead. */
export function takePayment(
  account: Account,
  session: Session | undefined,
  form: URLSearchParams,
): PayResult {
  const tells = momentOf(form.get('tells'))
  if (session?.status !== 'open') return showPayPage(session, tells)
  const action = form.get('action')
  if (action === 'cancel') return { location: session.cancel_url ?? '/' }
  if (action === 'expire') {
    account.expire(session.id)
    return showPayPage(session, tells)
  }
  const code = form.get('code')?.trim().toUpperCase() ?? ''
  if (code && !(code in promotions)) return showPayPage(session, tells, 'This code is invalid.')
  const paid = account.pay(session.id, paymentOf(session, form, promotions[code] ?? 0))
  const location = action === 'lose' ? '/lost' : backTo(paid)
  return { location, session: paid, tells }
}

function momentOf(told: string | null): Moment {
  return told === 'after' || told === 'never' ? told : 'before'
}

function paymentOf(session: Session, form: URLSearchParams, percent: number): Payment {
  const discount = Math.round((session.amount_subtotal * percent) / 100)
  const taxed = session.amount_subtotal - discount + (session.shipping_cost?.amount_subtotal ?? 0)
  const rate = session.tax_behavior === 'inclusive' ? taxRate / (1 + taxRate) : taxRate
  const tax = session.automatic_tax.enabled ? Math.round(taxed * rate) : 0
  return { discount, tax, ships_to: session.shipping_address_collection ? addressOf(form) : undefined }
}

function addressOf(form: URLSearchParams): Address {
  const value = (name: string) => form.get(name)?.trim() || null
  const address: Stripe.Address = {
    line1: value('line1'),
    line2: value('line2'),
    city: value('city'),
    state: value('state'),
    postal_code: value('postal_code'),
    country: value('country'),
  }
  return { name: value('name') ?? '', address, phone: value('phone') ?? '' }
}

function shippingFields({ shipping_address_collection, phone_number_collection }: Session): string {
  if (!shipping_address_collection) return ''
  const countries = shipping_address_collection.allowed_countries.map((code) => [code, code])
  return `<fieldset><legend>Where it goes</legend>
    ${field('Name', 'name')}${field('Street', 'line1')}${field('Flat, floor', 'line2', '', false)}
    ${field('City', 'city')}${field('State', 'state', '', false)}${field('Postal code', 'postal_code')}
    <label>Country <select name="country">${options(Object.fromEntries(countries))}</select></label>
    ${phone_number_collection?.enabled ? field('Phone', 'phone') : ''}
  </fieldset>`
}

function field(label: string, name: string, value = '', isRequired = true): string {
  const required = isRequired ? 'required' : ''
  return `<label>${label} <input name="${name}" value="${escape(value)}" ${required}></label>`
}

function options(words: Record<string, string>, chosen?: string): string {
  return Object.entries(words)
    .map(([value, word]) => `<option value="${value}" ${value === chosen ? 'selected' : ''}>${word}</option>`)
    .join('')
}

function backTo({ success_url, id }: Session): string {
  return (success_url ?? '/').replaceAll('{CHECKOUT_SESSION_ID}', id)
}

function link(words: string, url: string | null): string {
  return `<p><a href="${escape(url ?? '/')}">${words}</a></p>`
}
