// Who can open the shop's address, as the setup says it, and the first visit from another network.
import { once } from 'node:events'
import { request } from 'node:http'
import { expect, test, vi } from 'vitest'
import type { SiteAddress } from '#contract/setup/setup.ts'
import { scopeOf } from '#platform/public-connection.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { recordStatements } from '#test/statements.ts'
import type { Person } from '#test/users.ts'

const site = 'https://books.example'
const at = '2026-11-05T20:14:00.000Z'

async function openShop(env: Record<string, string> = {}) {
  const shop = await openTestShop({
    env: { SITE_URL: site, TRUST_PROXY: '1', ...env },
    clock: () => new Date(at),
    hasWorkers: false,
  })
  return Object.assign(shop, { admin: await shop.person({ role: 'admin' }) })
}

const read = async (admin: Person) =>
  (await (await admin.call('GET', '/api/admin/address')).json()) as SiteAddress

/** As fetch does not let a test: with the host that a visitor typed. */
async function visit(
  { url }: TestShop,
  headers: Record<string, string> = { 'x-forwarded-for': '9.9.9.9' },
  path = '/',
) {
  const sent = request(new URL(path, url), { headers: { host: 'books.example', ...headers } }).end()
  const [response] = await once(sent, 'response')
  response.resume()
  await once(response, 'end')
}

const reachedAt = ({ services }: TestShop) => services.settings.get().shop.reached

/** `address` leads to the shop, as through a proxy. */
function leadHere({ url }: TestShop, address = site): Disposable {
  const original = fetch
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation((input, init) => {
    const asked = input instanceof Request ? input.url : input.toString()
    return original(asked.replace(address, url), init)
  })
  return { [Symbol.dispose]: () => spy.mockRestore() }
}

test('from where an address opens', () => {
  const scopes = {
    computer: ['http://localhost:3000', 'https://books.localhost', 'http://127.0.0.1', 'http://[::1]:3000'],
    network: [
      'http://192.168.1.4:3000',
      'https://10.0.0.1',
      'http://[fd00::1]',
      'http://[fe80::1]',
      'http://nas:3000',
      'https://books.local',
      'https://books.home.arpa.',
      'http://shop.lan',
    ],
    internet: ['https://books.example', 'http://9.9.9.9', 'https://[2a00::1]', 'https://bücher.example'],
  }
  for (const [scope, addresses] of Object.entries(scopes))
    for (const address of addresses) expect([address, scopeOf(address)]).toEqual([address, scope])
})

test('an address is said to be reached only after it answered, and was opened from another network', async () => {
  await using shop = await openShop({ TIME_ZONE: 'Europe/Berlin' })
  const { admin } = shop
  const away = {
    url: site,
    qr_code: null,
    reach: 'fault',
    check: { state: 'wrong', says: expect.stringContaining('books.example') },
  }
  expect(await read(admin)).toMatchObject(away)
  using _proxy = leadHere(shop)
  const answers = await read(admin)
  expect(answers).toMatchObject({ reach: 'answers', check: { state: 'open' } })
  expect(answers.qr_code).toMatch(/^<svg .*<\/svg>$/s)
  await visit(shop)
  await expect.poll(() => reachedAt(shop)).toEqual({ site_url: site, at })
  const says = `${site} was reached from outside at 21:14`
  const reached = { reach: 'reached', check: { state: 'ok', says } }
  expect(await read(admin)).toMatchObject(reached)
  vi.restoreAllMocks()
  expect(await read(admin)).toMatchObject(away)
})

test('without https, and at addresses of one computer or network, nobody else is said to reach it', async () => {
  for (const [SITE_URL, reach] of [
    ['http://localhost:1', 'computer'],
    ['http://192.168.1.4', 'network'],
  ]) {
    await using shop = await openShop({ SITE_URL: SITE_URL! })
    expect(await read(shop.admin)).toMatchObject({ reach, qr_code: null })
    await visit(shop, { host: new URL(SITE_URL!).host, 'x-forwarded-for': '9.9.9.9' })
    expect(reachedAt(shop)).toBeNull()
  }
  await using shop = await openShop({ SITE_URL: 'http://books.example' })
  using _proxy = leadHere(shop, 'http://books.example')
  expect(await read(shop.admin)).toMatchObject({
    reach: 'no_https',
    check: { state: 'warn' },
    qr_code: null,
  })
})

test('what does not come from another network, through the proxy, to the home page is no first visit', async () => {
  await using shop = await openShop()
  const { email, password } = shop.admin
  const body = { email, password }
  const headers = { 'x-forwarded-for': '2a00:1450:4001:81b::1' }
  const signIn = await shop.call('POST', '/auth/v1/token?grant_type=password', { body, headers })
  expect(signIn.status).toBe(200)
  const outside = { 'x-forwarded-for': '9.9.9.9' }
  // Beside the admin, on the same Wi-Fi, and again: it is looked up once.
  const beside = { 'x-forwarded-for': '2a00:1450:4001:81b::2' }
  await visit(shop, beside)
  await expect.poll(() => visit(shop, beside).then(() => reachedAt(shop))).toBeNull()
  const refused: Record<string, string>[] = [
    {},
    { 'x-forwarded-for': '9.9.9.9, 192.168.1.7' },
    { 'x-forwarded-for': '127.0.0.1' },
    { ...outside, host: shop.url.slice('http://'.length) },
  ]
  for (const sent of refused) await visit(shop, sent)
  for (const path of ['/api/health', '/setup', '/wp-login.php']) await visit(shop, outside, path)
  using statements = recordStatements()
  await visit(shop, beside)
  expect(statements.all()).toEqual([])
  expect(reachedAt(shop)).toBeNull()

  // While an earlier visit is looked up, no other one is.
  await expect.poll(() => visit(shop, outside).then(() => reachedAt(shop))).toEqual({ site_url: site, at })
  const { rows } = await shop.services.database.pool.query<{ fields: object }>(
    `select fields from settings where name = 'shop'`,
  )
  expect(JSON.stringify(rows)).not.toContain('9.9.9.9')
  // After a change of settings, what depends on them is looked at again.
  const looks = () => statements.all().filter(({ sent }) => sent.includes('select ip from auth.sessions'))
  expect(looks()).toHaveLength(1)
  await visit(shop, { 'x-forwarded-for': '8.8.4.4' })
  expect(looks()).toHaveLength(1)
})

test('a header that a visitor writes is no first visit while no proxy is trusted', async () => {
  await using shop = await openShop({ TRUST_PROXY: '0' })
  using statements = recordStatements()
  const forged: Record<string, string>[] = [{ 'x-forwarded-for': '9.9.9.9' }, { forwarded: 'for=9.9.9.9' }]
  for (const sent of forged) await visit(shop, sent)
  expect(statements.all()).toEqual([])
  expect(reachedAt(shop)).toBeNull()
})

test('another address has to be reached anew, and another change of settings forgets nothing', async () => {
  await using shop = await openTestShop({ env: { SITE_URL: '', TRUST_PROXY: '1' }, hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const save = async (revision: number, values: object) => {
    const body = { revision, values }
    expect((await admin.call('PUT', '/api/admin/settings/shop', { body })).status).toBe(200)
  }
  await save(0, { site_url: site })
  await visit(shop)
  await expect.poll(() => reachedAt(shop)).toMatchObject({ site_url: site })
  await save(1, { time_zone: 'Asia/Tokyo' })
  expect(reachedAt(shop)).toMatchObject({ site_url: site })
  await save(2, { site_url: 'https://other.example' })
  expect((await read(admin)).reach).not.toBe('reached')
  await visit(shop, { host: 'other.example', 'x-forwarded-for': '9.9.9.9' })
  await expect.poll(() => reachedAt(shop)).toMatchObject({ site_url: 'https://other.example' })
})
