import { expect, test } from 'vitest'
import { formatOrderNumber, parseOrderNumber } from './order-number.ts'

test('an order number is written with #, and read with or without it', () => {
  expect(formatOrderNumber(1042)).toBe('#1042')
  for (const text of ['#1042', '1042', ' #1042 ']) expect(parseOrderNumber(text)).toBe(1042)
  for (const text of ['', '#', '# 1042', '10.42', '-1042', '1042a', '9999999999'])
    expect(parseOrderNumber(text)).toBeUndefined()
})
