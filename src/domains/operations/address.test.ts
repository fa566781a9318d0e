// Whether the shop's address leads to it, as the admin area and `lectern check` say.
import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import type { SiteAddress } from '#contract/operations/setup.ts'
import { findFreePort } from '#test/find-free-port.ts'
import { openTestShop } from '#test/shop.ts'

type Proxy = {
  respond?: () => Promise<Response>
  sends?: Record<string, string>
  env?: Record<string, string>
}

/** A shop whose SITE_URL leads to a proxy, and what it says of that to an admin who calls it directly. */
async function readAddress({ respond, sends = {}, env }: Proxy = {}): Promise<SiteAddress> {
  const port = await findFreePort()
  await using shop = await openTestShop({
    env: { SITE_URL: `http://localhost:${port}`, ...env },
    hasWorkers: false,
  })
  const server = createServer(({ url = '' }, reply) => void pass(url, reply))
  async function pass(path: string, reply: ServerResponse): Promise<void> {
    const response = await (respond ? respond() : shop.call('GET', path, { headers: sends }))
    reply.writeHead(response.status).end(await response.text())
  }
  await once(server.listen(port), 'listening')
  const admin = await shop.person({ role: 'admin' })
  const response = await admin.call('GET', '/api/admin/address')
  server.close()
  return (await response.json()) as SiteAddress
}

const good = { url: expect.any(String), is_https: false, fault: null, is_proxy_ignored: false }

test('an address that leads to the shop is good, but for https', async () => {
  expect(await readAddress()).toEqual(good)
})

test('a proxy that says who calls is noticed until the shop trusts it', async () => {
  const forwarded: Record<string, string>[] = [{ 'x-forwarded-for': '9.9.9.9' }, { forwarded: 'for=9.9.9.9' }]
  for (const sends of forwarded) {
    expect(await readAddress({ sends })).toEqual({ ...good, is_proxy_ignored: true })
    expect(await readAddress({ sends, env: { TRUST_PROXY: '1' } })).toEqual(good)
  }
})

test('a proxy is noticed in the admin’s own request, and a header that a visitor writes changes nothing', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const headers = { 'x-forwarded-for': '9.9.9.9' }
  for (const path of ['/api/products', '/api/health?nonce=1', '/api/admin/address'])
    await shop.call('GET', path, { headers })
  const read = async (sent = {}) => (await admin.call('GET', '/api/admin/address', { headers: sent })).json()
  expect(await read()).toEqual(good)
  expect(await read(headers)).toEqual({ ...good, is_proxy_ignored: true })
})

test('an address that leads to another site is not taken for the shop, whatever it responds', async () => {
  for (const respond of [
    async () => new Response('another site', { status: 404 }),
    async () => new Response('<h1>Welcome</h1>'),
    async () => Response.json({ status: 'ok' }),
    async () => Response.json({ status: 'ok', proof: 'x'.repeat(43) }),
  ]) {
    expect((await readAddress({ respond })).fault).toMatch(
      /^http:\/\/localhost:\d+ is not this shop: it responds/,
    )
  }
})

test('an address that leads nowhere says why', async () => {
  const url = `https://localhost:${await findFreePort()}`
  await using shop = await openTestShop({ env: { SITE_URL: url }, hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  expect(await (await admin.call('GET', '/api/admin/address')).json()).toEqual({
    url,
    is_https: true,
    fault: `${url} cannot be reached (ECONNREFUSED)`,
    is_proxy_ignored: false,
  })
})
