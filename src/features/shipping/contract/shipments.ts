// Addresses, and what goes by post as its user sees it.
import { z } from 'zod'
import { money, line, optionalLine, timestamp } from '#platform/contract/fields.ts'
import { needsPostalCode, needsState } from './postal.ts'
import { usStateCode } from './us-states.ts'

/** Time for a parcel to come back, or for a mistake to be noticed. The refusal `shipments.too_late_to_undo` says "a week". */
const undoableMs = 7 * 24 * 3_600_000

/** Whether a parcel that was marked as shipped can still be put back. */
export function isUndoable(shipped_at: Date, now: Date): boolean {
  return now.getTime() - shipped_at.getTime() <= undoableMs
}

export const country = z.string().regex(/^[A-Z]{2}$/, 'Please choose a country.')

/** An address that can be written on a parcel. Which countries are served is the shop's to say. */
export const address = z
  .strictObject({
    name: line(100),
    line1: line(120),
    line2: optionalLine(120),
    city: line(80),
    state: optionalLine(80),
    postal_code: optionalLine(20),
    country,
    phone: optionalLine(30),
  })
  .superRefine(({ country, state, postal_code }, check) => {
    const missing = (field: string) =>
      check.addIssue({ code: 'custom', path: [field], message: 'Please fill in this field.' })
    if (needsState(country) && !state) missing('state')
    if (country === 'US' && state && !usStateCode(state))
      check.addIssue({ code: 'custom', path: ['state'], message: 'Please choose a state.' })
    if (needsPostalCode(country) && !postal_code) missing('postal_code')
    if (country === 'US' && postal_code && !/^\d{5}(-\d{4})?$/.test(postal_code))
      check.addIssue({ code: 'custom', path: ['postal_code'], message: 'A ZIP code is five digits.' })
  })
  .transform((given) => {
    const code = given.country === 'US' ? usStateCode(given.state) : undefined
    return code ? { ...given, state: code } : given
  })
export type Address = z.infer<typeof address>

/** As it is stored; what came from the payment provider may be less complete than what we ask for. */
export const storedAddress = z.object({
  name: z.string(),
  line1: z.string(),
  line2: z.string(),
  city: z.string(),
  state: z.string(),
  postal_code: z.string(),
  country: z.string(),
  phone: z.string(),
})

/** Where a bought thing is. */
export const shipment = z.object({
  /** Null until one is given. */
  address: storedAddress.nullable(),
  carrier: z.string().nullable(),
  tracking_number: z.string().nullable(),
  shipped_at: timestamp.nullable(),
  /** It is paid for and has not left yet. */
  is_to_ship: z.boolean(),
  /** When its address, or what is known of its way, was last changed. */
  updated_at: timestamp,
})
export type Shipment = z.infer<typeof shipment>

/** What sending a purchase costs, as a part of its amount. `country` is null where the price was the same for all. */
export const shippingCharge = z.object({ country: z.string().nullable(), amount: money })
export type ShippingCharge = z.infer<typeof shippingCharge>

/** What a buyer has to know before buying on paper. */
export const shippingTerms = z.object({
  /** An address must come with the purchase. */
  asks_address: z.boolean(),
  /** ISO 3166-1 alpha-2, the author's order. */
  countries: z.array(z.string()),
  /** What sending costs where `country_prices` say nothing else: shipping-price.ts reads both. */
  price: money,
  country_prices: z.record(z.string(), money),
  /** The purchase is paid on a page of its own, which says its sum again. */
  takes_payments: z.boolean(),
  /** Tax may be added to the sum there. */
  has_tax: z.boolean(),
})
export type ShippingTerms = z.infer<typeof shippingTerms>
