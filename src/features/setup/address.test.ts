// Whether the shop's address leads to it, as the admin area and `lectern check` say.
import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import type { SiteAddress } from './contract.ts'
import { findFreePort } from '#test/find-free-port.ts'
import { openTestShop } from '#test/shop.ts'

/** A shop whose SITE_URL leads to `respond`, and what it says of that. */
async function readAddress(respond?: () => Promise<Response>): Promise<SiteAddress> {
  const port = await findFreePort()
  await using shop = await openTestShop({ env: { SITE_URL: `http://localhost:${port}` }, hasWorkers: false })
  const server = createServer(({ url = '' }, reply) => void pass(url, reply))
  async function pass(path: string, reply: ServerResponse): Promise<void> {
    const response = await (respond ? respond() : shop.call('GET', path))
    reply.writeHead(response.status).end(await response.text())
  }
  await once(server.listen(port), 'listening')
  const admin = await shop.person({ role: 'admin' })
  const response = await admin.call('GET', '/api/admin/address')
  server.close()
  return (await response.json()) as SiteAddress
}

test('an address that leads to the shop is good, but for https', async () => {
  expect(await readAddress()).toEqual({ url: expect.any(String), is_https: false, fault: null })
})

test('an address that leads to another site is not taken for the shop, whatever it responds', async () => {
  for (const respond of [
    async () => new Response('another site', { status: 404 }),
    async () => new Response('<h1>Welcome</h1>'),
    async () => Response.json({ status: 'ok' }),
    async () => Response.json({ status: 'ok', proof: 'x'.repeat(43) }),
  ]) {
    expect((await readAddress(respond)).fault).toMatch(
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
  })
})
