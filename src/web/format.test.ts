import { expect, test } from 'vitest'
import { formatDate, formatDollars, formatFileSize, formatMoney, formatUtc } from './format.ts'

test('money has a dollar sign and two decimals', () => {
  expect([14.99, 50, 0, 1234.5].map(formatDollars)).toEqual(['$14.99', '$50.00', '$0.00', '$1,234.50'])
})

test('a date has a short month, a day of two digits and the year', () => {
  expect(formatDate('2026-11-05T12:00:00Z')).toBe('Nov 05, 2026')
})

test('a size is in kilobytes below one megabyte, and never nothing', () => {
  expect([1, 86_016, 1_048_000, 1_048_576, 1_258_291].map(formatFileSize)).toEqual([
    '1 kB',
    '84 kB',
    '1023 kB',
    '1.0 MB',
    '1.2 MB',
  ])
})

test('what is not in dollars names its currency, and papers name their clock', () => {
  expect([formatMoney(9.5, 'usd'), formatMoney(9.5, 'eur')]).toEqual(['$9.50', '9.50 EUR'])
  expect(formatMoney(1499, 'jpy')).toBe('1499 JPY')
  expect(formatUtc('2026-11-05T16:07:00Z').replaceAll('\u202f', ' ')).toBe('Nov 5, 2026, 4:07 PM UTC')
})
