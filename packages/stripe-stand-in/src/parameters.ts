// The parameters that Stripe accepts in the calls that the shop makes. Anything else is refused before it is executed, in
// Stripe's words. A parameter that is missing here is not necessarily unknown to Stripe: look it up before it is added.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { currencies } from './charge-limits.ts'
import { Refusal } from './refusal.ts'

type Check = (value: string, name: string) => void
type Shape = Check | { [name: string]: Shape }

/** Stands for any name, or any index of a list. */
const any = '*'

const string =
  (longest = 5_000): Check =>
  (value, name) => {
    if (value.length > longest) refuse(`Invalid string: ${name} must be at most ${longest} characters`, name)
  }
const required: Check = (value, name) => {
  if (!value) refuse(`You passed an empty string for '${name}'.`, name, 'parameter_invalid_empty')
}
const boolean: Check = (value, name) => {
  if (value !== 'true' && value !== 'false') refuse(`Invalid boolean: ${value}`, name)
}
const integer =
  (least: number, most = Number.MAX_SAFE_INTEGER): Check =>
  (value, name) => {
    if (!/^-?\d+$/.test(value)) refuse(`Invalid integer: ${value}`, name, 'parameter_invalid_integer')
    if (Number(value) < least) refuse(`This value must be greater than or equal to ${least}.`, name)
    if (Number(value) > most) refuse(`This value must be less than or equal to ${most}.`, name)
  }
const oneOf =
  (allowed: readonly string[]): Check =>
  (value, name) => {
    if (!allowed.includes(value)) refuse(`Invalid ${name}: must be one of ${allowed.join(', ')}`, name)
  }
const url: Check = (value, name) => {
  if (!URL.canParse(value.replaceAll(/[{}]/g, ''))) refuse('Not a valid URL', name, 'url_invalid')
}
const email: Check = (value, name) => {
  if (!/^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(value))
    refuse(`Invalid email address: ${value}`, name, 'email_invalid')
}
/** The library lists the types; `*` stands for all. */
const eventType: Check = (value, name) => {
  if (value !== '*' && !/^[a-z_]+(\.[a-z_]+)+$/.test(value))
    refuse(`Invalid ${name}: must be one of the event types of Stripe`, name)
}
const taxCode: Check = (value, name) => {
  if (!/^txcd_\d{8}$/.test(value)) refuse(`No such tax code: '${value}'`, name, 'resource_missing')
}
const metadata: Shape = { [any]: string(500) }
const enabled: Shape = { enabled: boolean }
const created: Shape = { gt: integer(0), gte: integer(0), lt: integer(0), lte: integer(0) }
const page: Record<string, Shape> = {
  limit: integer(1, 100),
  starting_after: required,
  ending_before: required,
}

/** The library's types list the parameters; they are made of Stripe's own description of its API. */
const sessionTypes = readFileSync(
  join(dirname(createRequire(import.meta.url).resolve('stripe')), 'resources/Checkout/Sessions.d.ts'),
  'utf8',
)
const [allowedCountries = ''] = /type AllowedCountry = [^;]+;/.exec(sessionTypes) ?? []
export const shippingCountries: string[] = allowedCountries.match(/\b[A-Z]{2}\b/g) ?? []

const endpoint: Record<string, Shape> = {
  url,
  enabled_events: { [any]: eventType },
  description: string(5_000),
  metadata,
  api_version: required,
  connect: boolean,
}

const calls: Record<string, Record<string, Shape>> = {
  'POST sessions': {
    mode: oneOf(['payment']),
    client_reference_id: string(200),
    metadata,
    payment_intent_data: { metadata, description: string(1_000) },
    line_items: {
      [any]: {
        quantity: integer(1, 999_999),
        price_data: {
          currency: oneOf(currencies),
          unit_amount: integer(0),
          tax_behavior: oneOf(['exclusive', 'inclusive', 'unspecified']),
          product_data: { name: required, description: required, tax_code: taxCode, metadata },
        },
      },
    },
    customer_email: email,
    success_url: url,
    cancel_url: url,
    allow_promotion_codes: boolean,
    submit_type: oneOf(['auto', 'book', 'donate', 'pay', 'subscribe']),
    billing_address_collection: oneOf(['auto', 'required']),
    managed_payments: enabled,
    adaptive_pricing: enabled,
    automatic_tax: enabled,
    tax_id_collection: enabled,
    invoice_creation: { enabled: boolean, invoice_data: { metadata, description: string(1_500) } },
    shipping_address_collection: { allowed_countries: { [any]: oneOf(shippingCountries) } },
    phone_number_collection: enabled,
    shipping_options: {
      [any]: {
        shipping_rate: required,
        shipping_rate_data: {
          type: oneOf(['fixed_amount']),
          fixed_amount: { amount: integer(0), currency: oneOf(currencies) },
          display_name: string(100),
          tax_behavior: oneOf(['exclusive', 'inclusive', 'unspecified']),
          tax_code: taxCode,
          metadata,
        },
      },
    },
  },
  'GET sessions': {
    ...page,
    payment_intent: required,
    status: oneOf(['open', 'complete', 'expired']),
    created,
  },
  'GET sessions/id': {
    expand: { [any]: oneOf(['payment_intent', 'payment_intent.latest_charge', 'invoice', 'line_items']) },
  },
  'POST sessions/id/expire': {},
  'POST refunds': {
    payment_intent: required,
    amount: integer(1),
    metadata,
    reason: oneOf(['duplicate', 'fraudulent', 'requested_by_customer']),
  },
  'GET refunds': { ...page, payment_intent: required, charge: required, created },
  'GET disputes': { ...page, payment_intent: required, charge: required, created },
  'GET account': {},
  'GET payment_intents': { ...page, created, customer: required },
  'GET invoices': { ...page, created, customer: required, status: required },
  'GET webhook_endpoints': page,
  'POST webhook_endpoints': endpoint,
  'POST webhook_endpoints/id': { ...endpoint, disabled: boolean },
  'DELETE webhook_endpoints/id': {},
  'GET events': { ...page, types: { [any]: required }, created },
}

/** The number of kinds in a list of events. */
const maxTypes = 20
const maxMetadata = 50
const maxShippingOptions = 5

export function checkParameters(call: string, parameters: URLSearchParams): void {
  const shape = calls[call]
  if (!shape) return
  for (const [name, value] of parameters) checkOne(shape, name, value)
  const countOf = (beginning: string) =>
    [...parameters.keys()].filter((name) => name.startsWith(beginning)).length
  if (countOf('types[') > maxTypes) refuse(`You may only specify up to ${maxTypes} event types.`, 'types')
  if (countOf('metadata[') > maxMetadata) refuse('You can only have 50 metadata keys.', 'metadata')
  if (call === 'POST sessions') {
    checkShippingOptions(parameters)
    requireAll(parameters, ['line_items[0][price_data][currency]', 'line_items[0][price_data][unit_amount]'])
    requireAll(parameters, ['mode', 'success_url', 'line_items[0][price_data][product_data][name]'])
  }
  if (call === 'POST refunds') requireAll(parameters, ['payment_intent'])
  if (call === 'POST webhook_endpoints') requireAll(parameters, ['url', 'enabled_events[0]'])
}

function checkShippingOptions(parameters: URLSearchParams): void {
  const rates = [...parameters.keys()].flatMap((name) => /^shipping_options\[(\d+)\]/.exec(name)?.[1] ?? [])
  const indexes = [...new Set(rates)]
  if (indexes.length > maxShippingOptions)
    refuse(`You may only specify up to ${maxShippingOptions} shipping options.`, 'shipping_options')
  const line = parameters.get('line_items[0][price_data][currency]')
  for (const at of indexes) {
    const data = `shipping_options[${at}][shipping_rate_data]`
    if (parameters.has(`shipping_options[${at}][shipping_rate]`)) continue
    requireAll(parameters, [`${data}[display_name]`, `${data}[fixed_amount][amount]`])
    const name = `${data}[fixed_amount][currency]`
    if (parameters.get(name) !== line)
      refuse('The currency of the shipping rate must match the currency of the line items.', name)
  }
}

function checkOne(shape: Shape, name: string, value: string): void {
  const path = name.split(/[[\]]+/).filter(Boolean)
  let at: Shape | undefined = shape
  for (const part of path) at = typeof at === 'object' ? (at[part] ?? at[any]) : undefined
  if (typeof at !== 'function')
    return refuse(`Received unknown parameter: ${name}`, name, 'parameter_unknown')
  at(value, name)
}

function requireAll(parameters: URLSearchParams, names: readonly string[]): void {
  for (const name of names)
    if (!parameters.has(name)) refuse(`Missing required param: ${name}.`, name, 'parameter_missing')
}

function refuse(message: string, param: string, code?: string): never {
  throw new Refusal(message, { param, code, isBeforeExecution: true })
}
