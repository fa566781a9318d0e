// Whose word is taken for who calls.
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { clientIp, clientNetwork } from './client-ip.ts'

async function ask(of: typeof clientIp, trustedProxies: number, forwarded?: string, remoteAddress?: string) {
  const app = new Hono().get('/', (c) => c.text(of(c, trustedProxies)))
  const headers = new Headers(forwarded === undefined ? [] : [['x-forwarded-for', forwarded]])
  return (await app.request('/', { headers }, { incoming: { socket: { remoteAddress } } })).text()
}

test.for([
  [0, undefined, '192.0.2.1'],
  [0, '198.51.100.7', '192.0.2.1'],
  [1, '198.51.100.7', '198.51.100.7'],
  [1, '203.0.113.9, 198.51.100.7', '198.51.100.7'],
  [2, '203.0.113.9, 198.51.100.7', '203.0.113.9'],
  [2, '198.51.100.7', '192.0.2.1'],
  [1, 'unknown', '192.0.2.1'],
  [1, '', '192.0.2.1'],
  [1, "1.1.1.1'; --", '192.0.2.1'],
  [1, '2001:DB8::1', '2001:db8::1'],
] as const)('with %i proxies and "%s" the caller is %s', async ([proxies, forwarded, expected]) => {
  expect(await ask(clientIp, proxies, forwarded, '192.0.2.1')).toBe(expected)
})

test('an IPv4 address on an IPv6 socket is itself, and a unix socket has none', async () => {
  expect(await ask(clientIp, 0, undefined, '::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(await ask(clientIp, 0)).toBe('local')
})

test.for([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
] as const)('%s is of the network %s', async ([address, network]) => {
  expect(await ask(clientNetwork, 0, undefined, address)).toBe(network)
})
