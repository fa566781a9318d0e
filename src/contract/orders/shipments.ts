// Shipments, their addresses and charges, and the terms of shipping.
import { z } from 'zod'
import { dayMs } from '../durations.ts'
import { fieldsTexts } from '#words/fields.ts'
import { fill } from '#words/texts.ts'
import { money, line, optionalLine, timestamp } from '../fields.ts'
import { exampleFor } from './postal-codes.ts'
import { countryName, needsPostalCode, needsState, usStateCode } from './postal.ts'

/** Time for a parcel to come back, or for a mistake to be noticed. The refusal `shipments.too_late_to_undo` says "a week". */
const undoableMs = 7 * dayMs

export function isUndoable(shipped_at: Date, now: Date): boolean {
  return now.getTime() - shipped_at.getTime() <= undoableMs
}

export const country = z.string().regex(/^[A-Z]{2}$/, { error: () => fieldsTexts.country })

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
    const refuse = (field: string, message: string) =>
      check.addIssue({ code: 'custom', path: [field], message })
    if (needsState(country) && !state) refuse('state', fieldsTexts.required)
    if (country === 'US' && state && !usStateCode(state)) refuse('state', fieldsTexts.state)
    if (needsPostalCode(country) && !postal_code) refuse('postal_code', fieldsTexts.required)
    if (country === 'US' && postal_code && !/^\d{5}(-\d{4})?$/.test(postal_code))
      refuse('postal_code', fieldsTexts.zip)
    const example = postal_code ? exampleFor(country, postal_code) : undefined
    if (example !== undefined)
      refuse('postal_code', fill(fieldsTexts.postalCode, { country: countryName(country), example }))
  })
  .transform((input) => {
    const code = input.country === 'US' ? usStateCode(input.state) : undefined
    return code ? { ...input, state: code } : input
  })
export type Address = z.infer<typeof address>

/** The payment provider's may be less complete than what the shop asks for. */
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

export const shipment = z.object({
  address: storedAddress.nullable(),
  carrier: z.string().nullable(),
  tracking_number: z.string().nullable(),
  shipped_at: timestamp.nullable(),
  is_to_ship: z.boolean(),
  updated_at: timestamp,
})
export type Shipment = z.infer<typeof shipment>

/** A part of the purchase's amount. `country` is null where the price was the same for all. */
export const shippingCharge = z.object({ country: z.string().nullable(), amount: money })

export const shippingTerms = z.object({
  asks_address: z.boolean(),
  countries: z.array(z.string()),
  /** Holds for countries without a price in `country_prices`: prices.ts reads both. */
  price: money,
  country_prices: z.record(z.string(), money),
  takes_payments: z.boolean(),
  /** The payment page may add tax to the sum. */
  has_tax: z.boolean(),
})
export type ShippingTerms = z.infer<typeof shippingTerms>
