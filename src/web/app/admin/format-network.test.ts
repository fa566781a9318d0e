import { expect, test } from 'vitest'
import { formatNetwork } from './event-detail.ts'

test.each([
  ['::1', 'this machine'],
  ['127.0.0.1', 'this machine'],
  ['::ffff:127.0.0.1', 'this machine'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8::1', '2001:db8::1'],
])('the address %s is shown as %s', (ip, shown) => {
  expect(formatNetwork(ip)).toBe(shown)
})
