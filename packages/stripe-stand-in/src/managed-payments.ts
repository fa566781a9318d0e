// Managed Payments: on such a session Link sells in its own name and Stripe refuses what only a seller decides.
// Some accounts that were opened since July 2026 have it on for every session that does not switch it off.
import { Refusal } from './refusal.ts'

/** Each with the public text that says so. No real account of this kind was asked. */
const refused: Record<string, string> = {
  automatic_tax: 'docs.stripe.com/payments/managed-payments/set-up, unsupported parameters',
  tax_id_collection: 'docs.stripe.com/payments/managed-payments/set-up, unsupported parameters',
  invoice_creation: 'docs.stripe.com/payments/managed-payments/set-up, unsupported parameters',
  adaptive_pricing: 'docs.stripe.com/payments/managed-payments/set-up, unsupported parameters',
  shipping_address_collection: 'docs.stripe.com/payments/managed-payments/set-up, unsupported parameters',
  shipping_options: 'docs.stripe.com/payments/managed-payments/set-up, unsupported parameters',
  payment_method_types: 'docs.stripe.com/payments/managed-payments/set-up, unsupported parameters',
  payment_method_configuration: 'alexmorrisnz/moodle-paygw_stripe#78, Stripe’s own words',
  excluded_payment_method_types: 'docs.stripe.com/payments/managed-payments/set-up, unsupported parameters',
  'customer_update[name]': 'docs.stripe.com/payments/managed-payments/set-up, unsupported parameters',
  'customer_update[address]': 'docs.stripe.com/payments/managed-payments/set-up, unsupported parameters',
  'payment_intent_data[shipping]': 'docs.stripe.com/payments/managed-payments/set-up, unsupported parameters',
  'payment_intent_data[statement_descriptor]':
    'docs.stripe.com/payments/managed-payments/set-up, unsupported parameters',
  'payment_intent_data[receipt_email]':
    'docs.stripe.com/payments/managed-payments/set-up, unsupported parameters',
  'payment_intent_data[setup_future_usage]':
    'docs.stripe.com/payments/managed-payments/set-up, unsupported parameters',
  custom_text: 'public reports of Stripe’s own words; not in the list of the documentation',
}

/** True where Link would sell in this session, by its parameters and what the account does without them. */
export function isManaged(form: URLSearchParams, isDefault: boolean): boolean {
  const chosen = form.get('managed_payments[enabled]')
  return chosen === null ? isDefault : chosen === 'true'
}

export function requireManageable(form: URLSearchParams): void {
  for (const name of form.keys()) {
    const param = Object.keys(refused).find((each) => name === each || name.startsWith(`${each}[`))
    // Stripe’s words, as they are quoted in alexmorrisnz/moodle-paygw_stripe#78.
    if (param)
      throw new Refusal(
        `${param} cannot be used with Managed Payments, which is enabled by default on your account. Remove ${param}, or pass managed_payments[enabled]=false to disable it for this request.`,
        { param },
      )
  }
  // Quoted in public code of August 2026, with the index of the line.
  if (!form.has('line_items[0][price_data][product_data][tax_code]'))
    throw new Refusal(
      'Invalid line_items[0]: the product tax code is missing. Product tax code is required for Managed Payments.',
      { param: 'line_items[0]' },
    )
}
