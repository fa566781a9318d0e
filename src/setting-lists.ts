// Settings that are lists: the countries that are shipped to, what sending there costs, and Stripe's tax code of each
// format.
import { z } from 'zod'
import { countries, stripeCountries } from '#features/shipping/contract/countries.ts'
import { format, formats } from '#features/products/contract/products.ts'
import { settingValues } from '#features/settings/contract/setting-groups.ts'
import { usualTaxCodes } from '#features/settings/contract/tax-codes.ts'

const itemsOf = (value: string) => value.split(',').map((item) => item.trim())

function missingFrom(valid: ReadonlySet<string>, codes: readonly string[]): string {
  return codes.filter((code) => !valid.has(code)).join(', ')
}

export const countryCodes = z
  .string()
  .regex(/^[A-Z]{2}( *, *[A-Z]{2})*$/, 'must be country codes, as US,CA,GB')
  .transform(itemsOf)
  .refine((codes) => missingFrom(countries, codes) === '', {
    error: ({ input }) =>
      `has codes of no country: ${missingFrom(countries, z.array(z.string()).parse(input))}`,
  })

const shipping = z.object({ SHIPPING_COUNTRIES: z.array(z.string()) })

/** Countries in the settings to which Stripe Checkout collects no addresses. The settings may be bad otherwise. */
export function unknownToStripe(settings: unknown): string {
  return missingFrom(stripeCountries, shipping.safeParse(settings).data?.SHIPPING_COUNTRIES ?? [])
}

const prices = settingValues.shape.shipping.pick({ price: true, country_prices: true })

/** "4.90,US:0,CA:12.50": the price everywhere, then those of single countries. */
export const shippingPrices = z.string().transform((value, check) => {
  const [price = '', ...exceptions] = itemsOf(value)
  const pairs = exceptions.map((item) => {
    const [code = '', ...amount] = item.split(':')
    return [code, readPrice(amount.join(':'))]
  })
  const country_prices = Object.fromEntries(pairs)
  const isTwice = Object.keys(country_prices).length < pairs.length
  const parsed = prices.safeParse({ price: readPrice(price), country_prices })
  if (parsed.success && !isTwice) return parsed.data
  const message =
    'must be the price of shipping, of at most two decimals, and those of single countries, each once, as 4.90,US:0,CA:12.50'
  check.addIssue({ code: 'custom', message })
  return z.NEVER
})

/** Number('') is 0, and Number('0x1') is 1. */
function readPrice(text: string): number {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN
}

const taxCode = z.tuple([format, z.string().regex(/^txcd_\d{8}$/)])

/** "digital:txcd_10302000,hardcover:txcd_35010000": what is not named has its usual code. */
export const taxCodes = z.string().transform((value, check) => {
  const pairs = z.array(taxCode).safeParse(itemsOf(value).map((item) => item.split(':')))
  if (pairs.success) return { ...usualTaxCodes, ...Object.fromEntries(pairs.data) }
  const message = `must name formats (${formats.join(', ')}) and tax codes, as digital:txcd_10302000`
  check.addIssue({ code: 'custom', message })
  return z.NEVER
})
