import { expect, test } from 'vitest'
import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { EmailAddress, eventDetail, formatNetwork } from './cells.tsx'

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

test.each([
  ['::1', 'this machine'],
  // As it is stored for limits.
  ['::/64', 'this machine'],
  ['127.0.0.1', 'this machine'],
  ['::ffff:127.0.0.1', 'this machine'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8::1', '2001:db8::1'],
])('the address %s is shown as %s', (ip, shown) => {
  expect(formatNetwork(ip)).toBe(shown)
})

test('a long address may be broken after its @ and before its dots', () => {
  expect(renderToStaticMarkup(createElement(EmailAddress, null, 'ruth.of@books.example'))).toBe(
    'ruth<wbr/>.of@<wbr/>books<wbr/>.example',
  )
})
