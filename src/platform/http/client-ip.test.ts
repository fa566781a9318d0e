// Who is taken to be calling, and what a limit counts by.
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { clientIp, clientNetwork, isProxyIgnored, widerNetworks } from './client-ip.ts'

async function seen(trustedProxies: number, forwarded?: string, remoteAddress?: string) {
  const app = new Hono().get('/', (c) =>
    c.json([clientIp(c, trustedProxies), clientNetwork(c, trustedProxies)]),
  )
  const headers = { ...(forwarded !== undefined && { 'x-forwarded-for': forwarded }) }
  const response = await app.request('/', { headers }, { incoming: { socket: { remoteAddress } } })
  return (await response.json()) as [ip: string, network: string]
}

test('the socket says who calls, and X-Forwarded-For only as far as proxies are trusted', async () => {
  const chain = '6.6.6.6, 198.51.100.7, 192.0.2.9'
  const cases = [
    [0, chain, '10.0.0.1'],
    [1, chain, '192.0.2.9'],
    [2, chain, '198.51.100.7'],
    [9, chain, '10.0.0.1'],
    [1, 'unknown', '10.0.0.1'],
    [1, '', '10.0.0.1'],
    [1, undefined, '10.0.0.1'],
  ] as const
  for (const [proxies, forwarded, ip] of cases)
    expect((await seen(proxies, forwarded, '10.0.0.1'))[0]).toBe(ip)
  expect(await seen(0, undefined, '::ffff:192.0.2.1')).toEqual(['192.0.2.1', '192.0.2.1'])
  expect(await seen(0)).toEqual(['local', 'local'])
})

test('an address is read in every form that proxies write', async () => {
  const forms = {
    '192.0.2.7': [
      '192.0.2.7:4711',
      ' "192.0.2.7:4711" ',
      '::ffff:192.0.2.7',
      '[::FFFF:c000:207]:443',
      '\t192.0.2.7',
    ],
    '2001:db8::7': ['[2001:db8::7]', '[2001:DB8:0::7]:443', '"[2001:db8::7]:443"', '2001:db8::7%eth0'],
    '10.0.0.1': ['unknown', '_hidden', '192.0.2.7.', '[192.0.2.7', ''],
  }
  for (const [ip, entries] of Object.entries(forms))
    for (const entry of entries)
      expect([entry, (await seen(1, `6.6.6.6, ${entry}`, '10.0.0.1'))[0]]).toEqual([entry, ip])
  const app = new Hono().get('/', (c) => c.text(clientIp(c, 1)))
  const forwarded = 'for=6.6.6.6, proto=https;For="[2001:db8::7]:443";by=10.0.0.1'
  expect(await (await app.request('/', { headers: { forwarded } })).text()).toBe('2001:db8::7')
})

test('all addresses of a household of version 6 are one network, however they are written', async () => {
  const ours = [
    '2001:db8:1:2::1',
    '2001:DB8:1:2:ffff:ffff:ffff:ffff',
    '2001:0db8:0001:0002::',
    '2001:db8:1:2::9%eth0',
  ]
  for (const ip of ours) expect((await seen(0, undefined, ip))[1]).toBe('2001:db8:1:2::/64')
  expect((await seen(0, undefined, '2001:db8:1:3::1'))[1]).not.toBe('2001:db8:1:2::/64')
  expect((await seen(0, undefined, '2001:db8::5'))[1]).toBe('2001:db8::/64')
  expect((await seen(0, undefined, '::1'))[1]).toBe('::/64')
})

test('a /56 and a /48 of version 6 count, too, at multiples', () => {
  expect(widerNetworks('2001:db8:1:2f3::/64')).toEqual([
    ['2001:db8:1:2f3::/64', 1],
    ['2001:db8:1:200::/56', 4],
    ['2001:db8:1::/48', 16],
  ])
  expect(widerNetworks('::/64').map(([network]) => network)).toEqual(['::/64', '::/56', '::/48'])
  for (const network of ['192.0.2.1', 'local']) expect(widerNetworks(network)).toEqual([[network, 1]])
})

test('a proxy is noticed by a header that comes from a private address, until it is trusted', async () => {
  const notices = async (
    trustedProxies: number,
    remoteAddress?: string,
    headers: Record<string, string> = {},
  ) => {
    const app = new Hono().get('/', (c) => c.json(isProxyIgnored(c, trustedProxies)))
    return (await app.request('/', { headers }, { incoming: { socket: { remoteAddress } } })).json()
  }
  const forwarded: Record<string, string>[] = [{ 'x-forwarded-for': '9.9.9.9' }, { forwarded: 'for=9.9.9.9' }]
  const nearby = ['127.0.0.1', '::1', '::ffff:172.17.0.1', '10.0.0.7', 'fd00::2', undefined]
  for (const headers of forwarded) {
    for (const peer of nearby) {
      expect(await notices(0, peer, headers)).toBe(true)
      expect(await notices(1, peer, headers)).toBe(false)
    }
    for (const peer of ['8.8.8.8', '::ffff:8.8.8.8', '2a00:1450::1'])
      expect(await notices(0, peer, headers)).toBe(false)
  }
  for (const peer of nearby) expect(await notices(0, peer)).toBe(false)
})
