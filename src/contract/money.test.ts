import { expect, test } from 'vitest'
import {
  addCents,
  currenciesWithoutDecimals,
  currencySign,
  formatCents,
  formatMoney,
  fromCents,
  isPayable,
  isWholeCents,
  percentOf,
  toCents,
  toDecimal,
} from './money.ts'
import { toMinor } from '#platform/stripe/conversions.ts'
import { currencyCodes } from './stripe.ts'

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
  const off = (cents: bigint, percent: number) => percentOf(cents, percent, 'usd')
  expect([off(1499n, 15), off(1490n, 25), off(1499n, 100)]).toEqual([225n, 373n, 1499n])
})

test('a currency without decimals is charged, lowered and written in wholes', () => {
  const off = (cents: bigint, percent: number) => percentOf(cents, percent, 'jpy')
  expect([off(150_000n, 15), off(99_900n, 5), off(100n, 50)]).toEqual([22_500n, 5_000n, 100n])
  expect([isPayable(150_000n, 'jpy'), isPayable(150_050n, 'krw'), isPayable(1n, 'eur')]).toEqual([
    true,
    false,
    true,
  ])
  expect([formatCents(150_000n, 'jpy'), toDecimal(1500, 'krw'), toDecimal(1500, 'usd')]).toEqual([
    '¥1,500',
    '1500',
    '1500.00',
  ])
  for (const code of currencyCodes) {
    const hasDecimals = !currenciesWithoutDecimals.includes(code)
    expect([code, toMinor(100n, code)]).toEqual([code, hasDecimals ? 100 : 1])
    expect([code, formatMoney(1, code).includes('.')]).toEqual([code, hasDecimals])
  }
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
