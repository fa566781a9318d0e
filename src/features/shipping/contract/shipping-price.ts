// What sending costs, by country, in the shop's currency. Without zod: visitors' pages carry this.

export type ShippingPrices = {
  /** Those that are served: at least one. */
  countries: readonly string[]
  /** Where nothing else is said. */
  price: number
  /** By ISO code; those of countries that are not served do not count. */
  country_prices: Readonly<Record<string, number>>
}

export type ShippingRange = { least: number; most: number }

export function shippingPrice(
  { price, country_prices }: Omit<ShippingPrices, 'countries'>,
  country: string,
): number {
  return country_prices[country] ?? price
}

/** Over all served countries. */
export function shippingRange({ countries, ...prices }: ShippingPrices): ShippingRange {
  const all = countries.map((country) => shippingPrice(prices, country))
  return { least: Math.min(...all), most: Math.max(...all) }
}

export function isFree({ most }: ShippingRange): boolean {
  return most === 0
}

export function isOnePrice({ least, most }: ShippingRange): boolean {
  return least === most
}
