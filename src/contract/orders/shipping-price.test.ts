import { expect, test } from 'vitest'
import { isFree, isOnePrice, shippingPrice, shippingRange } from './prices.ts'

test('a country has its own price, or the one of everywhere', () => {
  const prices = { price: 4.9, country_prices: { US: 0, CA: 12.5 } }
  expect(['US', 'CA', 'GB'].map((country) => shippingPrice(prices, country))).toEqual([0, 12.5, 4.9])
})

test('it is free, or has one price, by the countries that are served alone', () => {
  const rangeOf = (countries: string[], price: number, country_prices: Record<string, number> = {}) =>
    shippingRange({ countries, price, country_prices })
  expect(rangeOf(['US', 'CA', 'GB'], 4.9, { CA: 12.5 })).toEqual({ min: 4.9, max: 12.5 })
  expect(isOnePrice(rangeOf(['US', 'CA'], 4.9, { CA: 12.5 }))).toBe(false)
  expect(isOnePrice(rangeOf(['US', 'CA'], 4.9, { GB: 12.5 }))).toBe(true)
  expect(isOnePrice(rangeOf(['CA'], 4.9, { CA: 12.5 }))).toBe(true)
  expect(isFree(rangeOf(['US'], 0))).toBe(true)
  expect(isFree(rangeOf(['US'], 0, { GB: 12.5 }))).toBe(true)
  expect(isFree(rangeOf(['US'], 4.9, { US: 0 }))).toBe(true)
  expect(isFree(rangeOf(['US', 'CA'], 0, { CA: 12.5 }))).toBe(false)
})
