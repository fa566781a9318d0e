import { expect, test } from 'vitest'
import {
  addMoney,
  compareMoney,
  currencySign,
  formatMoney,
  fromCents,
  isWholeCents,
  subtractMoney,
  toCents,
  toDecimal,
} from './money.ts'

test('every amount up to a thousand dollars survives the way to cents and back', () => {
  const all = Array.from({ length: 100_001 }, (_, cents) => cents)
  expect(all.filter((cents) => toCents(fromCents(cents)) !== cents)).toEqual([])
  expect(toCents(99_999_999.99)).toBe(9_999_999_999)
})

test('sums and differences are exact to the cent', () => {
  expect(addMoney([])).toBe(0)
  expect(addMoney([0.1, 0.2])).toBe(0.3)
  expect(addMoney([19.99, 19.99, 39.99])).toBe(79.97)
  expect(subtractMoney(0.3, 0.1)).toBe(0.2)
  expect(subtractMoney(19.99, 19.99)).toBe(0)
  expect(subtractMoney(5, 12.34)).toBe(-7.34)
})

test('amounts are compared by their cents', () => {
  expect(compareMoney(0.1 + 0.2, 0.3)).toBe(0)
  expect(compareMoney(1.14, 1.15)).toBeLessThan(0)
  expect(compareMoney(99_999_999.99, 99_999_999.98)).toBeGreaterThan(0)
})

test('an amount has two decimals at most', () => {
  expect([0, 1.15, 19.99, 99_999_999.99].every(isWholeCents)).toBe(true)
  expect([0.001, 19.999, 1.005].some(isWholeCents)).toBe(false)
})

test('amounts are written with their currency, or as plain decimals', () => {
  expect([1234.5, 0].map((amount) => formatMoney(amount, 'usd'))).toEqual(['$1,234.50', '$0.00'])
  const written = ['eur', 'CAD', 'chf', 'jpy', 'xxx'].map((code) => formatMoney(12.3, code))
  expect(written).toEqual(['€12.30', 'CA$12.30', 'CHF\u00a012.30', '¥12', '¤12.30'])
  expect(['usd', 'eur', 'chf'].map(currencySign)).toEqual(['$', '€', 'CHF'])
  expect(toDecimal(12)).toBe('12.00')
})
