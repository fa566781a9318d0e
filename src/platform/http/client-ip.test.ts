// Who is taken to be calling, and what a limit counts by.
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { clientIp, clientNetwork } from './client-ip.ts'

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
