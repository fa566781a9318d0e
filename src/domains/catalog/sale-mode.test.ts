// How the shop sells without a key of Stripe: the sample as ever, an own book not yet or for free, nothing once there was
// a key.
import { expect, test } from 'vitest'
import { startStripe } from '@lectern/stripe-stand-in'
import { call, draftOf, take } from '#test/book-setup.ts'
import { buyAndPay, openPaidShop } from '#test/paying.ts'
import { openSecondShop } from '#test/second-shop.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'
import type { Product } from '#contract/catalog/products.ts'
import type { SettingsGroup } from '#contract/settings/settings.ts'
import { saveHadKey } from './sale-mode.ts'

const address = {
  name: 'Ada Reader',
  line1: '1 Barley Road',
  line2: '',
  city: 'Portland',
  state: 'OR',
  postal_code: '97201',
  country: 'US',
  phone: '',
}

async function openOwnBook(shop: TestShop, admin: Person): Promise<void> {
  await take(shop, admin, 'songs-of-the-road.epub')
  const offers = [
    { format: 'digital', price: 7 },
    { format: 'paperback', price: 12.5 },
    { format: 'bundle', price: 15 },
  ]
  await call(admin, 'PUT', 'setup/offers', { offers })
  const { revision } = await draftOf(admin)
  expect((await call(admin, 'POST', 'setup/open', { revision })).status).toBe(200)
}

async function choose(admin: Person, without_key: string) {
  const { json } = await call<SettingsGroup>(admin, 'GET', 'settings/payments')
  const change = { revision: json.revision, values: { without_key } }
  return call<SettingsGroup & { fields?: Record<string, string> }>(admin, 'PUT', 'settings/payments', change)
}

const saleModeOf = async (admin: Person) =>
  (await call<{ sale_mode: string }>(admin, 'GET', 'first-steps')).json.sale_mode

const listed = async (shop: TestShop) => (await (await shop.call('GET', '/api/products')).json()) as Product[]

async function tryToBuy(person: Person, product_id: string, more: object = {}) {
  const response = await person.call('POST', '/api/purchases', { body: { product_id, ...more } })
  const { amount, code } = (await response.json()) as { amount?: number; code?: string }
  return { status: response.status, ...(amount !== undefined && { amount }), ...(code && { code }) }
}

const refused = { status: 409, code: 'purchases.not_for_sale' }

test('the sample completes a purchase at once at its price, also while an own book is being set up', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  expect(await saleModeOf(admin)).toBe('sample')
  const { id } = await shop.product('digital')
  expect(await tryToBuy(user, id)).toEqual({ status: 201, amount: 14.99 })
  await take(shop, admin, 'songs-of-the-road.epub')
  expect((await choose(admin, 'free')).status).toBe(200)
  expect(await saleModeOf(admin)).toBe('sample')
  expect(await tryToBuy(user, id)).toEqual({ status: 201, amount: 14.99 })
})

test('an own book without a key is not for sale yet, however it came', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const sample = await shop.product('digital')
  const { document, revision } = await draftOf(admin)
  const own = { ...document, title: 'My Own Book', product: '', rating: null }
  await call(admin, 'PUT', 'book/draft', { revision, document: own })
  expect(await tryToBuy(user, sample.id)).toMatchObject({ status: 201 })
  expect(await call(admin, 'POST', 'book/publish', { revision: revision + 1 })).toMatchObject({ status: 200 })
  expect(await tryToBuy(user, sample.id)).toEqual(refused)
  const added = { name: 'My Own Book', price: 5, format: 'paperback' }
  const { json: product } = await call<{ id: string }>(admin, 'POST', 'products', added)
  expect(await tryToBuy(user, product.id)).toEqual(refused)
  expect(await tryToBuy(user, sample.id)).toEqual(refused)

  await openOwnBook(shop, admin)
  const products = await listed(shop)
  expect(products.map(({ price, is_available_soon }) => [price, is_available_soon])).toEqual([
    [7, true],
    [12.5, true],
    [15, true],
  ])
  for (const { id } of products) expect(await tryToBuy(user, id)).toEqual(refused)
  expect(await saleModeOf(admin)).toBe('not_for_sale')
  const { rows } = await shop.services.database.pool.query('select count(*)::int as made from purchases')
  expect(rows).toEqual([{ made: 1 }])
})

test('a book that is free for everybody is bought at 0, and its paper requires an address and ships for nothing', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off', SHIPPING_PRICES: '4.50' } })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  await openOwnBook(shop, admin)
  expect((await choose(admin, 'free')).status).toBe(200)
  await expect.poll(async () => (await listed(shop))[0]?.price).toBe(0)
  const [digital, paperback, bundle] = await listed(shop)
  if (!digital || !paperback || !bundle) throw new Error('a product is missing')
  expect([digital.price, paperback.price, digital.is_available_soon]).toEqual([0, 0, undefined])
  expect(await (await shop.call('GET', '/api/shipping')).json()).toMatchObject({
    asks_address: true,
    takes_payments: false,
    price: 0,
  })
  const key = { headers: { 'idempotency-key': crypto.randomUUID() } }
  const once = { product_id: digital.id, code: 'ANY-CODE' }
  const [first, second] = [
    await user.call('POST', '/api/purchases', { body: once, ...key }),
    await user.call('POST', '/api/purchases', { body: once, ...key }),
  ]
  expect([first.status, second.status]).toEqual([201, 200])
  expect(await first.json()).toMatchObject({ amount: 0, status: 'completed', discount_code: null })
  for (const { id } of [paperback, bundle]) {
    expect(await tryToBuy(user, id)).toMatchObject({ status: 422, code: 'purchases.address_needed' })
    expect(await tryToBuy(user, id, { address })).toEqual({ status: 201, amount: 0 })
  }
  const { json: sales } = await call<{ totals: object }>(admin, 'GET', 'sales')
  expect(sales.totals).toMatchObject({ total_revenue: 0, total_purchases: 3, completed_purchases: 3 })
  const mail = await shop.mailbox.to(user.email, /Your receipt for Songs of the Road \(Bundle\)/)
  expect(mail.text).toContain('$0.00')
  expect(mail.text).not.toContain('ask for a refund')
  expect((await call<{ locked: object }>(admin, 'GET', 'settings/shop')).json.locked).toEqual({})

  expect((await choose(admin, 'not_for_sale')).status).toBe(200)
  expect(await tryToBuy(user, digital.id)).toEqual(refused)
  const again = await user.call('POST', '/api/purchases', { body: { product_id: digital.id }, ...key })
  expect(again.status).toBe(200)
})

test('a free book requires a proof, and is in the audit log', async () => {
  let now = new Date()
  await using shop = await openTestShop({ hasWorkers: false, clock: () => now })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  expect((await choose(user, 'free')).status).toBe(403)
  expect((await choose(admin, 'free')).status).toBe(200)
  now = new Date(now.getTime() + 11 * 60_000)
  expect((await choose(admin, 'not_for_sale')).json.code).toBe('auth.reauthentication_needed')
  const { rows } = await shop.services.database.pool.query(
    `select actor, detail from audit_log where action = 'settings.changed'`,
  )
  expect(rows).toEqual([
    { actor: admin.email, detail: { without_key: { from: 'not_for_sale', to: 'free' } } },
  ])
})

test('another process that was not notified of a change yet sells by the database', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  await using other = await openSecondShop(shop)
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  await openOwnBook(shop, admin)
  await choose(admin, 'free')
  const [digital] = await listed(shop)
  expect(await tryToBuy(user, digital!.id)).toEqual({ status: 201, amount: 0 })
  const { pool } = shop.services.database
  await pool.query('alter table settings disable trigger user')
  await pool.query(
    `update settings set fields = fields || '{"without_key": "not_for_sale"}' where name = 'payments'`,
  )
  expect(shop.services.settings.get().payments.without_key).toBe('free')
  expect(await tryToBuy(user, digital!.id)).toEqual(refused)
  expect(other.services).toBeDefined()
})

test('a shop that ever had a key sells nothing without one, and gives nothing away', async () => {
  await using stripe = await startStripe()
  await using paid = await openPaidShop(stripe)
  const [admin, user] = [await paid.person({ role: 'admin' }), await paid.person()]
  expect(await saleModeOf(admin)).toBe('paid')
  await buyAndPay(paid, stripe, user)
  // The same database, and the variable is lost.
  const { config } = paid.services
  const lost = { ...config, overrides: { ...config.overrides, payments: {} } }
  await using keyless = await openSecondShop({ services: { ...paid.services, config: lost } })
  const { services } = keyless
  expect(services.payments.mode()).toBe('none')
  expect(services.settings.get().payments).toMatchObject({ had_key: true, without_key: 'not_for_sale' })
  expect((await services.catalogue.get()).products.every((each) => each.is_available_soon)).toBe(true)
  const response = await fetch(`${keyless.url}/api/purchases`, {
    method: 'POST',
    headers: { authorization: `Bearer ${user.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ product_id: (await paid.product('digital')).id }),
  })
  expect(await response.json()).toMatchObject(refused)
})

test('a shop whose key was lost before this version sells nothing either', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await shop.product('digital')
  expect(await tryToBuy(user, id)).toEqual({ status: 201, amount: 14.99 })
  const { pool } = shop.services.database
  await pool.query(
    `insert into checkouts (purchase_id, is_live, next_check_at) select id, true, null from purchases`,
  )
  await saveHadKey(shop.services)
  expect(await tryToBuy(user, id)).toEqual(refused)
  expect(await saleModeOf(admin)).toBe('key_missing')
  expect(await choose(admin, 'free')).toMatchObject({ status: 422, json: { code: 'request.invalid' } })
})
