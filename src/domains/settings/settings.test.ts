// Settings on the screen: who may change them, in which processes they are in force, and what is refused.
import { expect, test } from 'vitest'
import { openSecondShop } from '#test/second-shop.ts'
import { openTestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import { buy } from '#test/paying.ts'
import { startStripe } from '@lectern/stripe-stand-in'
import { readSums } from '#test/sales-sums.ts'
import { openOwnShop, saveGroup as save } from '#test/settings.ts'
import type { SettingsGroup } from '#contract/settings/settings.ts'
import { saveSettings } from './settings.ts'
import { createServer, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { SiteAddress } from '#contract/setup/setup.ts'
import { findFreePort } from '#test/find-free-port.ts'

async function read(admin: Person): Promise<SettingsGroup> {
  return (await (await admin.call('GET', '/api/admin/settings/shop')).json()) as SettingsGroup
}

test('a change is in force at once, in another process within a second, and after the next start', async () => {
  await using shop = await openOwnShop()
  await using other = await openSecondShop(shop)
  const { admin } = shop
  const before = await read(admin)
  expect(before).toMatchObject({ revision: 0, changed_by: null, variables: {}, secrets: {} })
  expect(before.values).toEqual({
    site_url: `http://localhost:${new URL(shop.url).port}`,
    time_zone: 'UTC',
    currency: 'usd',
    has_guest_checkout: true,
    admins_need_factor: false,
  })
  const values = { site_url: 'https://books.example/', time_zone: 'America/New_York' }
  expect(await save(admin, { revision: 0, values })).toEqual({ status: 200 })
  const stored = { site_url: 'https://books.example', time_zone: 'America/New_York' }
  expect(shop.services.settings.get().shop).toMatchObject(stored)
  await expect.poll(() => other.services.settings.get().shop, { timeout: 1_000 }).toMatchObject(stored)
  expect(await read(admin)).toMatchObject({ revision: 1, changed_by: admin.email, values: stored })
  // Signed in still, though tokens name the address that issued them.
  const me = await fetch(`${other.url}/api/me`, { headers: { authorization: `Bearer ${admin.token}` } })
  expect([me.status, me.headers.get('strict-transport-security')]).toEqual([200, 'max-age=31536000'])
  await using later = await openSecondShop(shop)
  expect(later.services.settings.get().shop).toMatchObject(stored)
  expect(await shop.events()).toEqual([
    {
      actor: admin.email,
      subject: 'the shop',
      detail: {
        site_url: { from: before.values['site_url'], to: stored.site_url },
        time_zone: { from: 'UTC', to: 'America/New_York' },
      },
    },
  ])
})

test('the days of the sums begin in the new time zone', async () => {
  await using shop = await openOwnShop({ env: { RATE_LIMIT: 'off' } })
  const { pool } = shop.services.database
  await (await shop.person()).buy((await shop.product('digital')).id)
  await pool.query(`update purchases set created_at = '2026-03-01T03:00:00Z'`)
  await save(shop.admin, { revision: 0, values: { time_zone: 'America/New_York' } })
  const { kept, counted } = await readSums(shop.services.database)
  expect(kept).toMatchObject([{ day: '2026-02-28', purchases: 1 }])
  expect(kept).toEqual(counted)
})

test('sums that take long to compute again are computed without a limit of time', async () => {
  await using shop = await openOwnShop()
  const { pool } = shop.services.database
  await pool.query('create table limits (ms text)')
  await pool.query(`create or replace function sums_rebuild() returns void language sql as
    $$ insert into limits select current_setting('statement_timeout') $$`)
  const changed = { time_zone: 'America/New_York', site_url: 'https://books.example' }
  expect(await save(shop.admin, { revision: 0, values: changed })).toEqual({ status: 200 })
  const actor = { id: shop.admin.id, email: shop.admin.email, ip: null }
  const values = { secret_key: 'sk_live_x' }
  await saveSettings(shop.services, actor, 'payments', { revision: 0, values, isChecked: true })
  const { rows } = await pool.query('select ms from limits')
  expect(rows).toEqual([{ ms: '0' }, { ms: '0' }])
})

test('a time zone is a name, not an offset', async () => {
  await using shop = await openOwnShop()
  for (const time_zone of ['+05:30', '-08:00', 'Atlantis/Center'])
    expect((await save(shop.admin, { revision: 0, values: { time_zone } })).status).toBe(422)
})

test('of two admins who change the same settings, the second gets a conflict', async () => {
  await using shop = await openOwnShop()
  const { admin } = shop
  const zones = ['Europe/Berlin', 'Asia/Tokyo', 'America/New_York']
  const saved = await Promise.all(
    zones.map((time_zone) => save(admin, { revision: 0, values: { time_zone } })),
  )
  expect(saved.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
  expect(saved.find(({ status }) => status === 409)).toMatchObject({ code: 'settings.changed' })
  expect((await read(admin)).values['time_zone']).toBe(zones[saved.findIndex(({ status }) => status === 200)])
  expect(await shop.events()).toHaveLength(1)
})

test('saving the present values is no change', async () => {
  await using shop = await openOwnShop()
  expect(await save(shop.admin, { revision: 0, values: { time_zone: 'UTC' } })).toEqual({ status: 200 })
  expect(await read(shop.admin)).toMatchObject({ revision: 0, changed_at: null })
  expect(await shop.events()).toEqual([])
})

test('the environment wins, is named, and cannot be changed on the screen', async () => {
  await using shop = await openOwnShop({ env: { TIME_ZONE: 'Europe/Berlin' } })
  const { admin } = shop
  expect(await read(admin)).toMatchObject({
    variables: { time_zone: 'TIME_ZONE' },
    values: { time_zone: 'Europe/Berlin' },
  })
  const refused = { status: 409, code: 'settings.fixed' }
  expect(await save(admin, { revision: 0, values: { time_zone: 'Asia/Tokyo' } })).toEqual(refused)
  expect(await save(admin, { revision: 0, values: { site_url: 'https://books.example' } })).toEqual({
    status: 200,
  })
  await using other = await openSecondShop(shop, { env: { SITE_URL: 'https://other.example' } })
  expect(other.services.settings.get().shop).toMatchObject({
    site_url: 'https://other.example',
    time_zone: 'UTC',
  })
})

test('a bad value is refused at its field, and none is stored', async () => {
  await using shop = await openOwnShop()
  const bad = async (values: object) => (await save(shop.admin, { revision: 0, values })).fields
  for (const site_url of [
    'books.example',
    'javascript:alert(1)',
    'https://a:b@books.example',
    'https://x/shop',
    7,
  ]) {
    expect(Object.keys((await bad({ site_url, time_zone: 'UTC' })) ?? {})).toEqual(['site_url'])
  }
  expect(Object.keys((await bad({ time_zone: 'Mars/Olympus' })) ?? {})).toEqual(['time_zone'])
  // Set by the shop itself, and not there.
  for (const field of ['former_site_urls', 'constructor', 'smtp']) {
    expect(await save(shop.admin, { revision: 0, values: { [field]: [] } })).toMatchObject({
      code: 'request.invalid',
    })
  }
  expect((await shop.admin.call('GET', '/api/admin/settings/nothing')).status).toBe(404)
  expect(await read(shop.admin)).toMatchObject({ revision: 0 })
})

test('a session that was not proven within ten minutes changes nothing without the password', async () => {
  let now = Date.now()
  await using shop = await openOwnShop({ clock: () => new Date(now) })
  const { admin } = shop
  const values = { time_zone: 'Asia/Tokyo' }
  now += 10 * 60_000
  const asked = await save(admin, { revision: 0, values })
  expect(asked).toMatchObject({ code: 'auth.reauthentication_needed' })
  const guess = await save(admin, { revision: 0, values, current_password: 'a guess' })
  expect(guess).toMatchObject({ code: 'auth.invalid_credentials' })
  expect((await read(admin)).revision).toBe(0)
  expect(await save(admin, { revision: 0, values, current_password: admin.password })).toEqual({
    status: 200,
  })
  // The password counts for the next minutes.
  now += 4 * 60_000
  expect(await save(admin, { revision: 1, values: { time_zone: 'UTC' } })).toEqual({ status: 200 })
})

test('live payments keep the address on https', async () => {
  const keys = { STRIPE_SECRET_KEY: 'sk_live_x', STRIPE_WEBHOOK_SECRET: 'whsec_x' }
  await expect(openTestShop({ env: { SITE_URL: '', ...keys }, hasWorkers: false })).rejects.toThrow(
    'STRIPE_SECRET_KEY is a live key, so SITE_URL must begin with https://',
  )
})

test('with Stripe, no country is chosen to which its checkout takes no addresses; the others are in force at once', async () => {
  await using stripe = await startStripe()
  await using shop = await openOwnShop({ env: { ...stripe.env, RATE_LIMIT: 'off' } })
  const { admin } = shop
  const countries = (codes: string[]) =>
    save(admin, { revision: 0, values: { countries: codes } }, 'shipping')
  expect(await countries(['US', 'CU'])).toMatchObject({
    fields: { countries: 'Stripe takes no addresses in Cuba.' },
  })
  expect(await countries(['XX'])).toMatchObject({ fields: { 'countries.0': expect.any(String) } })
  expect(await countries([])).toMatchObject({ fields: { countries: expect.any(String) } })
  expect(await countries(['DE', 'AT'])).toEqual({ status: 200 })
  const tax = { has_tax: true, in_prices: 'included', has_invoices: true }
  expect(await save(admin, { revision: 0, values: tax }, 'tax')).toEqual({ status: 200 })
  await buy(shop, await shop.person(), 'paperback')
  const { rows } = await shop.services.database.pool.query('select parameters from checkouts')
  expect(rows[0].parameters).toMatchObject({
    shipping_address_collection: { allowed_countries: ['DE', 'AT'] },
    automatic_tax: { enabled: true },
    invoice_creation: { enabled: true },
    tax_id_collection: { enabled: false },
  })
  const terms = (await (await shop.call('GET', '/api/shipping')).json()) as object
  expect(terms).toMatchObject({ asks_address: false, countries: ['DE', 'AT'] })
})

test('Stripe Tax needs to know whether the tax is in the prices, and it is not added to what is sent into the EU', async () => {
  await using stripe = await startStripe()
  await using shop = await openOwnShop({ env: { ...stripe.env, RATE_LIMIT: 'off' } })
  const { admin } = shop
  let revisions = { tax: 0, shipping: 0 }
  const change = async (group: 'tax' | 'shipping', values: object) => {
    const saved = await save(admin, { revision: revisions[group], values }, group)
    if (saved.status === 200) revisions = { ...revisions, [group]: revisions[group] + 1 }
    return saved
  }
  const unsaid = { fields: { in_prices: expect.stringContaining('whether it is in the prices') } }
  expect(await change('tax', { has_tax: true })).toMatchObject(unsaid)
  expect(await change('tax', { has_tax: true, in_prices: 'none' })).toMatchObject(unsaid)
  expect(await change('tax', { in_prices: null })).toMatchObject({ code: 'request.invalid' })
  expect(await change('tax', { in_prices: 'none' })).toEqual({ status: 200 })
  expect(await change('tax', { has_tax: true })).toMatchObject(unsaid)
  expect(await change('shipping', { countries: ['US', 'GB', 'FR', 'DE'] })).toEqual({ status: 200 })
  const inEurope = 'Buyers in France, Germany must be shown prices with the tax in them.'
  const added = { has_tax: true, in_prices: 'added' }
  expect(await change('tax', added)).toMatchObject({ fields: { in_prices: inEurope } })
  expect(await change('tax', { in_prices: 'added' })).toMatchObject({ fields: { in_prices: inEurope } })
  expect(await change('shipping', { countries: ['US', 'GB'] })).toEqual({ status: 200 })
  expect(await change('tax', added)).toEqual({ status: 200 })
  const warnings = async () =>
    ((await (await admin.call('GET', '/api/admin/settings/tax')).json()) as SettingsGroup).warnings
  expect(await warnings()).toEqual({ in_prices: { added: expect.stringContaining('You sell files') } })
  const { id } = await shop.product('digital')
  await admin.call('PATCH', `/api/admin/products/${id}`, { body: { is_for_sale: false } })
  expect(await warnings()).toBeUndefined()
  expect(await change('shipping', { countries: ['US', 'FR'] })).toMatchObject({
    fields: { countries: expect.stringContaining('Buyers in France must be shown') },
  })
  expect(await change('tax', { in_prices: 'none' })).toMatchObject(unsaid)
  expect(await change('tax', { in_prices: 'included' })).toEqual({ status: 200 })
  expect(await change('shipping', { countries: ['US', 'FR'] })).toEqual({ status: 200 })
})

test('a shop that had Stripe Tax before the prices said anything of it goes on as it was', async () => {
  await using shop = await openOwnShop()
  const { admin } = shop
  const fields = JSON.stringify({ has_tax: true })
  await shop.services.database.pool.query(
    `insert into settings (name, fields, revision, changed_by) values ('tax', $1, 1, 'author@example.com')`,
    [fields],
  )
  expect(await save(admin, { revision: 1, values: { has_invoices: true } }, 'tax')).toEqual({ status: 200 })
  expect(shop.services.settings.get().tax).toMatchObject({ has_tax: true, has_invoices: true })
  expect(shop.services.settings.get().tax.in_prices).toBeUndefined()
  const turned = async (revision: number, has_tax: boolean) =>
    save(admin, { revision, values: { has_tax } }, 'tax')
  expect(await turned(2, false)).toEqual({ status: 200 })
  expect(await turned(3, true)).toMatchObject({ code: 'request.invalid' })
})

// Secrets among the settings: sealed, never shown again, and given to nobody else.

test('a secret never leaves the server: not to the screen, the log of changes or the table', async () => {
  await using shop = await openOwnShop()
  await using other = await openSecondShop(shop)
  const { admin } = shop
  const { database, settings } = shop.services
  const password = 'a long password of the mail server'
  const change = (revision: number, values: object) => save(admin, { revision, values }, 'mail')
  const describe = async () => {
    const text = await (await admin.call('GET', '/api/admin/settings/mail')).text()
    expect(text).not.toContain(password)
    return (JSON.parse(text) as SettingsGroup).secrets['password']
  }
  expect(await describe()).toBeNull()
  expect(await change(0, { password })).toEqual({ status: 200 })
  expect(settings.get().mail.password).toBe(password)
  await expect.poll(() => other.services.settings.get().mail.password, { timeout: 1_000 }).toBe(password)
  expect(await describe()).toMatchObject({ ends_in: 'rver', is_readable: true, set_by: admin.email })
  expect(await change(1, { password })).toEqual({ status: 200 })
  expect((await shop.events()).map(({ detail }) => detail)).toEqual([{ password: 'set' }])
  const { rows } = await database.pool.query('select fields from settings')
  expect(JSON.stringify(rows)).not.toContain(password)

  // Of a short one, the end would tell too much.
  expect(await change(1, { password: 'short one' })).toEqual({ status: 200 })
  expect(await describe()).toMatchObject({ ends_in: null })
  expect(await change(2, { password: null })).toEqual({ status: 200 })
  expect([await describe(), settings.get().mail.password]).toEqual([null, undefined])
  expect((await shop.events()).at(-1)).toMatchObject({ subject: 'mail', detail: { password: 'removed' } })
})

test('a stored password goes to the mail server that it was entered for, and to no other', async () => {
  await using shop = await openOwnShop()
  const { admin } = shop
  const { settings } = shop.services
  const server = { host: 'smtp.one.example', port: 465, user: 'books' }
  const password = 'of this server'
  for (const other of [{ host: 'smtp.two.example' }, { port: 587 }, { user: 'other' }, { host: '' }]) {
    const { revision } = (await (await admin.call('GET', '/api/admin/settings/mail')).json()) as SettingsGroup
    await save(admin, { revision, values: { ...server, password } }, 'mail')
    const renamed = { revision: revision + 1, values: { from_name: String(revision) } }
    expect(await save(admin, renamed, 'mail')).toEqual({ status: 200 })
    expect(settings.get().mail.password).toBe(password)
    expect(await save(admin, { revision: revision + 2, values: other }, 'mail')).toEqual({ status: 200 })
    expect(settings.get().mail).toMatchObject(other)
    expect(settings.get().mail.password).toBeUndefined()
    expect((await shop.events()).at(-1)).toMatchObject({ detail: { password: 'removed' } })
  }
  const { rows } = await shop.services.database.pool.query('select from auth.setting_secrets')
  expect(rows).toEqual([])
  const { revision } = (await (await admin.call('GET', '/api/admin/settings/mail')).json()) as SettingsGroup
  // The same one, entered again.
  await save(admin, { revision, values: { ...server, password } }, 'mail')
  const moved = { revision: revision + 1, values: { host: 'smtp.two.example', password } }
  expect(await save(admin, moved, 'mail')).toEqual({ status: 200 })
  expect(settings.get().mail.password).toBe(password)
})

test('a secret that was sealed with an AUTH_SECRET that is gone has to be entered again, and nothing else breaks', async () => {
  await using shop = await openOwnShop()
  const { admin } = shop
  await save(admin, { revision: 0, values: { password: 'of the mail server' } }, 'mail')
  await shop.services.database.pool.query(`update auth.setting_secrets set sealed = '\\x00'`)
  await expect.poll(() => shop.services.settings.get().mail.password).toBeUndefined()
  const group = (await (await admin.call('GET', '/api/admin/settings/mail')).json()) as SettingsGroup
  expect(group.secrets['password']).toMatchObject({ is_readable: false, ends_in: null })
  const again = { revision: group.revision, values: { password: 'of the mail server' } }
  expect(await save(admin, again, 'mail')).toEqual({ status: 200 })
  expect(shop.services.settings.get().mail.password).toBe('of the mail server')
})

// Whether the shop's address leads to it, as the admin area and `lectern check` say.

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

const good = {
  url: expect.any(String),
  check: expect.objectContaining({
    state: 'warn',
    says: expect.stringMatching(/^http:\S+ opens on this computer only$/),
  }),
  proxy: null,
  reach: 'computer',
  qr_code: null,
}
const ignored = { ...good, proxy: expect.objectContaining({ state: 'warn' }) }

test('an address that leads to the shop is good, but for who can open it', async () => {
  expect(await readAddress()).toEqual(good)
})

test('a proxy that says who calls is noticed until the shop trusts it', async () => {
  const forwarded: Record<string, string>[] = [{ 'x-forwarded-for': '9.9.9.9' }, { forwarded: 'for=9.9.9.9' }]
  for (const sends of forwarded) {
    expect(await readAddress({ sends })).toEqual(ignored)
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
  expect(await read(headers)).toEqual(ignored)
})

test('an address that leads to another site is not taken for the shop, whatever it responds', async () => {
  for (const respond of [
    async () => new Response('another site', { status: 404 }),
    async () => new Response('<h1>Welcome</h1>'),
    async () => Response.json({ status: 'ok' }),
    async () => Response.json({ status: 'ok', proof: 'x'.repeat(43) }),
  ]) {
    expect((await readAddress({ respond })).check).toMatchObject({
      state: 'wrong',
      says: expect.stringMatching(/; http:\/\/localhost:\d+ is not this shop: it responds/),
    })
  }
})

test('an address that leads nowhere says why', async () => {
  const url = `https://localhost:${await findFreePort()}`
  await using shop = await openTestShop({ env: { SITE_URL: url }, hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const address = await (await admin.call('GET', '/api/admin/address')).json()
  const says = `${url} opens on this computer only; ${url} cannot be reached (ECONNREFUSED)`
  expect(address).toEqual({ ...good, check: expect.objectContaining({ state: 'wrong', says }) })
})
