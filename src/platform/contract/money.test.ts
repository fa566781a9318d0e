import { expect, test } from 'vitest'
import {
  addCents,
  currencySign,
  formatCents,
  formatMoney,
  fromCents,
  isWholeCents,
  percentOf,
  toCents,
  toDecimal,
} from './money.ts'

test('every amount up to a thousand dollars survives the way to cents and back', () => {
  const all = Array.from({ length: 100_001 }, (_, cents) => cents)
  expect(all.filter((cents) => toCents(cents / 100) !== BigInt(cents))).toEqual([])
  expect(all.filter((cents) => fromCents(BigInt(cents)) !== cents / 100)).toEqual([])
  expect(toCents(99_999_999.99)).toBe(9_999_999_999n)
  expect(fromCents(9_999_999_999n)).toBe(99_999_999.99)
  expect(fromCents(null)).toBe(null)
})

test('sums are exact to the cent, and half a cent of a percentage is rounded up', () => {
  expect(addCents([])).toBe(0n)
  expect(fromCents(addCents([0.1, 0.2].map(toCents)))).toBe(0.3)
  expect(addCents([1999n, 1999n, 3999n])).toBe(7997n)
  expect([percentOf(1499n, 15), percentOf(1490n, 25), percentOf(1499n, 100)]).toEqual([225n, 373n, 1499n])
})

test('cents are no JSON, so that a response without decimals fails', () => {
  expect(() => JSON.stringify({ amount: 1999n })).toThrow(TypeError)
})

test('an amount has two decimals at most', () => {
  expect([0, 1.15, 19.99, 99_999_999.99].every(isWholeCents)).toBe(true)
  expect([0.001, 19.999, 1.005].some(isWholeCents)).toBe(false)
})

test('amounts are written with their currency, or as plain decimals', () => {
  expect([1234.5, 0].map((amount) => formatMoney(amount, 'usd'))).toEqual(['$1,234.50', '$0.00'])
  expect(formatCents(123_450n, 'usd')).toBe('$1,234.50')
  const written = ['eur', 'CAD', 'chf', 'jpy', 'xxx'].map((code) => formatMoney(12.3, code))
  expect(written).toEqual(['€12.30', 'CA$12.30', 'CHF\u00a012.30', '¥12', '¤12.30'])
  expect(['usd', 'eur', 'chf'].map(currencySign)).toEqual(['$', '€', 'CHF'])
  expect(toDecimal(12)).toBe('12.00')
})
