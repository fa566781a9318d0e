import { expect, test } from 'vitest'
import { eventDetail } from './event-detail.ts'

test('amounts have two decimals, and counts, days and percentages none', () => {
  expect(eventDetail({ amount: 5, price: { from: 14.99, to: 20 } })).toEqual([
    ['amount', '5.00'],
    ['price', 'from 14.99 to 20.00'],
  ])
  expect(eventDetail({ copies: { from: null, to: 12 }, percent: 15, max_uses: 100, uses: 3 })).toEqual([
    ['copies', 'from nothing to 12'],
    ['percent', '15'],
    ['max uses', '100'],
    ['uses', '3'],
  ])
})
