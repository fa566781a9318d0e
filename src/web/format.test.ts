import { expect, test } from 'vitest'
import { formatDate, formatDollars } from './format.ts'

test('money has a dollar sign and two decimals', () => {
  expect([14.99, 50, 0, 1234.5].map(formatDollars)).toEqual(['$14.99', '$50.00', '$0.00', '$1,234.50'])
})

test('a date has a short month, a day of two digits and the year', () => {
  expect(formatDate('2026-11-05T12:00:00Z')).toBe('Nov 05, 2026')
})
