import { expect, test } from 'vitest'
import { formatDate, formatDollars, formatMoney, formatUtc } from './format.ts'

test('money has a dollar sign and two decimals', () => {
  expect([14.99, 50, 0, 1234.5].map(formatDollars)).toEqual(['$14.99', '$50.00', '$0.00', '$1,234.50'])
})

test('a date has a short month, a day of two digits and the year', () => {
  expect(formatDate('2026-11-05T12:00:00Z')).toBe('Nov 05, 2026')
})

test('what is not in dollars names its currency, and papers name their clock', () => {
  expect([formatMoney(9.5, 'usd'), formatMoney(9.5, 'eur')]).toEqual(['$9.50', '9.50 EUR'])
  expect(formatMoney(1499, 'jpy')).toBe('1499 JPY')
  expect(formatUtc('2026-11-05T16:07:00Z').replaceAll('\u202f', ' ')).toBe('Nov 5, 2026, 4:07 PM UTC')
})
