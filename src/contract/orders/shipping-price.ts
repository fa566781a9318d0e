// The price of shipping by country, in the shop's currency. Without zod: visitors' pages carry this.

export type ShippingPrices = {
  countries: readonly string[]
  price: number
  country_prices: Readonly<Record<string, number>>
}

export type ShippingRange = { min: number; max: number }

type Prices = Omit<ShippingPrices, 'countries'>

export function shippingPrice({ price, country_prices }: Prices, country: string): number {
  return country_prices[country] ?? price
}

export function shippingRange({ countries, ...prices }: ShippingPrices): ShippingRange {
  const all = countries.map((country) => shippingPrice(prices, country))
  return { min: Math.min(...all), max: Math.max(...all) }
}

export function isFree({ max }: ShippingRange): boolean {
  return max === 0
}

export function isOnePrice({ min, max }: ShippingRange): boolean {
  return min === max
}
