// Converts checkouts and events between Stripe’s objects and the shop’s.
import type Stripe from 'stripe'
import { z } from 'zod'
import { email, id } from '#contract/fields.ts'
import type { SettingValues } from '../../config.ts'
import { fromCents, toCents, type Cents } from '#contract/money.ts'
import type { PostalAddress } from '#contract/orders/postal.ts'
import type { Seller } from '#contract/orders/seller.ts'
import type { Basket, Checkout, CheckoutOrder, ListedCheckout, ProviderEvent } from './payments.ts'
import type { Adjustments } from './refunds.ts'
import { fromMinor, fromSeconds, idOf, toMinor } from './conversions.ts'

export function sessionOf(
  checkout: CheckoutOrder,
  tax: SettingValues['tax'],
): Stripe.Checkout.SessionCreateParams {
  const { shop_id, purchase_id, user_id, order, product, consent } = checkout
  // Enough to make the purchase again in a shop that was restored from an older backup.
  const { code } = checkout
  const metadata = {
    ...(shop_id && { shop_id }),
    purchase_id,
    ...(user_id ? { user_id } : { guest_email: checkout.email }),
    product_id: product.id,
    order,
    ...(code && { code: code.code, code_id: code.code_id, code_discount: String(fromCents(code.discount)) }),
    ...(consent !== null && { consent }),
  }
  return {
    ...termsOf(checkout, tax),
    client_reference_id: purchase_id,
    metadata,
    payment_intent_data: {
      description: [`Order ${order}: ${product.name}`, product.note].filter(Boolean).join(' · '),
      metadata,
    },
    customer_email: checkout.email,
    success_url: checkout.success_url,
    cancel_url: checkout.cancel_url,
    // A code of 100 % would send a receipt to an address that nobody has paid for or proven.
    allow_promotion_codes: user_id !== null,
    ...invoicesOf(checkout, tax, metadata),
  }
}

/** No shop has it. Events and lists of sessions with it are not this shop's either. */
const trialShopId = 'lectern check'

/** Serves `lectern check`. Stripe refuses it where it refuses the checkout of a buyer. It names no purchase and no person. */
export function trialSessionOf(
  basket: Basket,
  tax: SettingValues['tax'],
  site_url: string,
): Stripe.Checkout.SessionCreateParams {
  return {
    ...termsOf(basket, tax),
    metadata: { shop_id: trialShopId },
    success_url: site_url,
    cancel_url: site_url,
    allow_promotion_codes: true,
    ...invoicesOf(basket, tax),
  }
}

type Metadata = Stripe.MetadataParam

/** Nothing where Link sells, which sends its own. */
function invoicesOf({ seller }: Basket, { has_invoices }: SettingValues['tax'], metadata?: Metadata) {
  if (seller === 'stripe') return {}
  const invoice_data = has_invoices && metadata && { invoice_data: { metadata } }
  return { invoice_creation: { enabled: has_invoices, ...invoice_data } }
}

/** Describes what is sold and on which terms, whoever buys it. */
function termsOf(basket: Basket, tax: SettingValues['tax']) {
  const { has_tax, has_tax_ids } = tax
  const { currency, product, seller } = basket
  const product_data = {
    name: product.name,
    ...(product.note && { description: product.note }),
    ...((has_tax || seller === 'stripe') && { tax_code: product.tax_code }),
  }
  const taxed = taxedAs(tax, seller)
  const price_data = {
    currency,
    unit_amount: toMinor(product.price, currency),
    product_data,
    ...taxed,
  }
  const terms = { mode: 'payment' as const, line_items: [{ quantity: 1, price_data }] }
  if (seller === 'stripe') return { ...terms, ...soldByLink }
  return {
    ...terms,
    ...statedDefaults,
    automatic_tax: { enabled: has_tax },
    tax_id_collection: { enabled: has_tax_ids },
    ...(product.ships && parcelOf(basket, taxed)),
  } satisfies Stripe.Checkout.SessionCreateParams
}

/**
 * An account may decide these otherwise where a session does not say them. With Managed Payments, which Stripe has switched
 * on for accounts since July 2026, Link sells in its own name and refuses the parameters of taxes, invoices and parcels.
 * With Adaptive Pricing the buyer pays in another currency than the page shows and the shop books.
 */
export const statedDefaults = {
  managed_payments: { enabled: false },
  adaptive_pricing: { enabled: false },
  billing_address_collection: 'auto',
  submit_type: 'pay',
} satisfies Stripe.Checkout.SessionCreateParams

/**
 * Link sells, and decides what only a seller decides: Stripe refuses a session that names more of it
 * (docs.stripe.com/payments/managed-payments/update-checkout, "Remove unsupported parameters"). `billing_address_collection`
 * and `submit_type` are not in that list; they are left out, since Stripe nowhere says that they may be there.
 */
const soldByLink = { managed_payments: { enabled: true } } satisfies Stripe.Checkout.SessionCreateParams

/** Null is said of accounts without Managed Payments. */
export function soldBy({ managed_payments }: Pick<Stripe.Checkout.Session, 'managed_payments'>): Seller {
  return managed_payments?.enabled === true ? 'stripe' : 'author'
}

const ofLink = z.object({ managed_payments: z.object({ enabled: z.literal(true) }) })

/** Reads the parameters of a session, sent or stored. */
export function askedSeller(parameters: object): Seller {
  return ofLink.safeParse(parameters).success ? 'stripe' : 'author'
}

type Taxed = { tax_behavior?: 'inclusive' | 'exclusive' }

const behaviors = { included: 'inclusive', added: 'exclusive' } as const

/**
 * Nothing before the author has chosen: what the account has preset counts then, as in versions without the setting. What
 * Link sells always says it, since Link would add the tax; where the page says nothing of tax, its price is what is paid.
 */
function taxedAs({ has_tax, in_prices }: SettingValues['tax'], seller: Seller): Taxed {
  if (seller === 'stripe') return { tax_behavior: in_prices === 'added' ? 'exclusive' : 'inclusive' }
  return has_tax && (in_prices === 'included' || in_prices === 'added')
    ? { tax_behavior: behaviors[in_prices] }
    : {}
}

/** Stripe cannot bind a price to a country: there is one price, and only the countries it is for. */
function parcelOf({ countries, currency, shipping }: Basket, taxed: Taxed) {
  return {
    shipping_address_collection: { allowed_countries: countries as Countries },
    phone_number_collection: { enabled: true },
    ...(shipping && {
      shipping_options: [{ shipping_rate_data: { ...rateOf(shipping, currency), ...taxed } }],
    }),
  }
}

function rateOf({ name, price }: { name: string; price: Cents }, currency: string) {
  const fixed_amount = { amount: toMinor(price, currency), currency }
  return { type: 'fixed_amount' as const, fixed_amount, display_name: name }
}

type Countries = Stripe.Checkout.SessionCreateParams.ShippingAddressCollection.AllowedCountry[]

export function toCheckout(session: Stripe.Checkout.Session, adjustments: Adjustments): Checkout {
  const { payment_intent, invoice, total_details, shipping_cost } = session
  const currency = session.currency ?? 'xxx'
  const amountOf = (minor: number | null | undefined) => fromMinor(minor ?? 0, currency)
  const sold_by = soldBy(session)
  // Link sends its own, in the buyer's Link account.
  const own = sold_by === 'author' && typeof invoice === 'object' ? invoice : null
  const invoice_url = own?.hosted_invoice_url ?? null
  return {
    session_id: session.id,
    status: checkoutStatus(session),
    url: session.url,
    shop_id: session.metadata?.['shop_id'] ?? null,
    purchase_id: id.safeParse(session.metadata?.['purchase_id']).data ?? null,
    product_id: session.metadata?.['product_id'] ?? null,
    order: session.metadata?.['order'] ?? null,
    buyer: buyerOf(session),
    code: codeOf(session),
    consent: session.metadata?.['consent'] ?? null,
    sold_by,
    presented: presentedOf(session),
    created_at: fromSeconds(session.created),
    currency,
    subtotal: amountOf(session.amount_subtotal),
    shipping: shipping_cost ? amountOf(shipping_cost.amount_subtotal) : null,
    total: amountOf(session.amount_total),
    tax: amountOf(total_details?.amount_tax),
    discount: amountOf(total_details?.amount_discount),
    payment_intent: idOf(payment_intent),
    invoice_url,
    awaits_invoice: sold_by === 'author' && session.invoice_creation?.enabled === true && !invoice_url,
    address: addressOf(session),
    payer_name: payerNameOf(session),
    payer_country: session.customer_details?.address?.country ?? null,
    ...adjustments,
  }
}

/** Adaptive Pricing lets the buyer pay in another currency; all that is counted stays in the session's own. */
function presentedOf({ presentment_details, currency }: Stripe.Checkout.Session): Checkout['presented'] {
  if (!presentment_details || presentment_details.presentment_currency === currency) return null
  const { presentment_amount, presentment_currency } = presentment_details
  const amount = fromMinor(presentment_amount, presentment_currency)
  return { amount, currency: presentment_currency }
}

export function toListed(session: Stripe.Checkout.Session): ListedCheckout {
  const { id: session_id, metadata, payment_intent: intent, created } = session
  const payment_intent = idOf(intent)
  const shop_id = metadata?.['shop_id'] ?? null
  return { session_id, shop_id, payment_intent, created_at: fromSeconds(created) }
}

function buyerOf({ metadata, customer_email }: Stripe.Checkout.Session): Checkout['buyer'] {
  const guest = email.safeParse(metadata?.['guest_email']).data
  if (guest) return { id: null, email: guest }
  const user_id = id.safeParse(metadata?.['user_id']).data
  return user_id && customer_email ? { id: user_id, email: customer_email } : null
}

const code_discount = z.coerce.number().min(0).transform(toCents)
const usedCode = z.object({ code: z.string(), code_id: z.string(), code_discount })

function codeOf({ metadata }: Stripe.Checkout.Session): Checkout['code'] {
  const { data } = usedCode.safeParse(metadata)
  return data ? { code: data.code, code_id: data.code_id, discount: data.code_discount } : null
}

/** `waiting`: the bank takes days to pay or to refuse. */
function checkoutStatus({
  status,
  payment_status,
  payment_intent,
}: Stripe.Checkout.Session): Checkout['status'] {
  if (status === 'open') return 'open'
  if (status === 'expired') return 'ended'
  if (payment_status !== 'unpaid') return 'paid'
  const hasFailed =
    typeof payment_intent === 'object' &&
    (payment_intent?.status === 'requires_payment_method' || payment_intent?.status === 'canceled')
  return hasFailed ? 'ended' : 'waiting'
}

function addressOf(session: Stripe.Checkout.Session): PostalAddress | undefined {
  const details = session.collected_information?.shipping_details
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
    phone: session.customer_details?.phone ?? '',
  }
}

/** What cannot be stored would keep the payment from being settled. */
function payerNameOf({ customer_details }: Stripe.Checkout.Session): string | null {
  const name = customer_details?.name
    ?.toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return name ? name.slice(0, 200).toWellFormed() : null
}

const eventObject = z.object({
  object: z.string(),
  id: z.string().optional(),
  payment_intent: z.union([z.string(), z.object({ id: z.string() })]).nullish(),
  metadata: z.record(z.string(), z.string()).nullish(),
})

export function toEvent({ id: event_id, type, data, created }: Stripe.Event): ProviderEvent {
  const { object, metadata, ...about } = eventObject.parse(data.object)
  const isTrial = metadata?.['shop_id'] === trialShopId
  const own = (kind: string) => (object === kind && !isTrial ? (about.id ?? null) : null)
  return {
    id: event_id,
    type,
    created_at: fromSeconds(created),
    session_id: own('checkout.session'),
    payment_intent: own('payment_intent') ?? idOf(about.payment_intent ?? null),
    // An invoice names neither its checkout nor its payment.
    purchase_id: object === 'invoice' ? (id.safeParse(metadata?.['purchase_id']).data ?? null) : null,
  }
}
