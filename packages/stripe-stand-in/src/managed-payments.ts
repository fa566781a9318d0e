// Managed Payments: on such a session Link sells in its own name and Stripe refuses what only a seller decides.
// Some accounts that were opened since July 2026 have it on for every session that does not switch it off.
import { Refusal } from './refusal.ts'

/** "Remove unsupported parameters", for one-time payments. */
const list = 'docs.stripe.com/payments/managed-payments/update-checkout, unsupported parameters'

/** Each with the public text that says so. No real account of this kind was asked. */
export const refused: Readonly<Record<string, string>> = {
  automatic_tax: list,
  tax_id_collection: list,
  invoice_creation: list,
  adaptive_pricing: `${list}: it is always on`,
  shipping_address_collection: list,
  shipping_options: list,
  payment_method_types: list,
  payment_method_configuration: `${list}; alexmorrisnz/moodle-paygw_stripe#78, Stripe’s own words`,
  excluded_payment_method_types: list,
  'customer_update[name]': list,
  'customer_update[address]': list,
  'payment_intent_data[shipping]': list,
  'payment_intent_data[statement_descriptor]': list,
  'payment_intent_data[statement_descriptor_suffix]': list,
  'payment_intent_data[receipt_email]': list,
  'payment_intent_data[setup_future_usage]': list,
  'payment_intent_data[application_fee_amount]': list,
  'payment_intent_data[on_behalf_of]': list,
  'payment_intent_data[transfer_data]': list,
  'payment_intent_data[transfer_group]': list,
  custom_text: 'public reports of Stripe’s own words; not in the list of the documentation',
}

/**
 * Optional parameters that a shop sends of which Stripe’s texts allow the use where Link sells. `billing_address_collection`
 * and `submit_type` are in no list: Stripe is nowhere said to refuse or to allow them, so the shop leaves them out.
 */
export const allowed: Readonly<Record<string, string>> = {
  customer_email:
    'docs.stripe.com/api/checkout/sessions/create: “Use this parameter to prefill customer data if you already have an email on file”, and it is not among the unsupported parameters. Stripe may refuse it all the same: the shop then asks without it.',
  allow_promotion_codes:
    'not among the unsupported parameters, which name all of taxes, methods and shipping',
  client_reference_id: 'not among the unsupported parameters',
  metadata:
    'docs.stripe.com/payments/managed-payments: detailed records by the API; not among the unsupported parameters',
  'payment_intent_data[description]': 'not among the unsupported parameters of payment_intent_data',
  'payment_intent_data[metadata]': 'not among the unsupported parameters of payment_intent_data',
  cancel_url: 'docs.stripe.com/payments/managed-payments/set-up, “Add a cancel page”',
}

/** True where Link would sell in this session, by its parameters and what the account does without them. */
export function isManaged(form: URLSearchParams, isDefault: boolean): boolean {
  const chosen = form.get('managed_payments[enabled]')
  return chosen === null ? isDefault : chosen === 'true'
}

/** docs.stripe.com/payments/managed-payments/eligibility: the codes of what is delivered by electronic means. */
const isDigital = (tax_code: string) => tax_code.startsWith('txcd_10')

export function requireManageable(
  form: URLSearchParams,
  { isDefault, isAvailable }: { isDefault: boolean; isAvailable: boolean },
): void {
  // The condition is in update-checkout, “Terms of service required”; the words of the refusal are not public.
  if (!isAvailable)
    throw new Refusal(
      'You must accept the Managed Payments terms of service in the Dashboard before you can use Managed Payments.',
      { param: 'managed_payments' },
    )
  for (const name of form.keys()) {
    const param = Object.keys(refused).find((each) => name === each || name.startsWith(`${each}[`))
    // Stripe’s words, as they are quoted in alexmorrisnz/moodle-paygw_stripe#78.
    if (param)
      throw new Refusal(
        isDefault
          ? `${param} cannot be used with Managed Payments, which is enabled by default on your account. Remove ${param}, or pass managed_payments[enabled]=false to disable it for this request.`
          : `${param} cannot be used with Managed Payments.`,
        { param },
      )
  }
  // Quoted in public code of August 2026, with the index of the line.
  const tax_code = form.get('line_items[0][price_data][product_data][tax_code]')
  if (tax_code && !isDigital(tax_code))
    throw new Refusal(
      `Invalid line_items[0]: the product tax code ${tax_code} is not eligible for Managed Payments.`,
      { param: 'line_items[0]' },
    )
  if (!tax_code)
    throw new Refusal(
      'Invalid line_items[0]: the product tax code is missing. Product tax code is required for Managed Payments.',
      { param: 'line_items[0]' },
    )
}

type Part = { tax: number; refunded: number; paid: number }

/** Tax that went back with all refunds so far: their share, in whole minor units, half a unit rounded up. */
export function taxBack({ tax, refunded, paid }: Part): number {
  return paid === 0 ? 0 : Math.round((tax * refunded) / paid)
}
