// Which prices count as those at which a product was for sale to the public, and since when.
import { startStripe } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import { call, draftOf, take } from '#test/book-setup.ts'
import { openFirstSchema } from '#test/first-schema.ts'
import { given } from '#test/given.ts'
import { saveGroup } from '#test/settings.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'
import type { SettingsGroup } from '#contract/settings/settings.ts'
import { migrateDatabase } from '#platform/db/migrate.ts'
import { changeProduct, setArchived } from './change-products.ts'
import { addProduct, copyProduct } from './products.ts'

const hourMs = 3_600_000
const author = { id: null, email: 'author@example.com', ip: null }

/** Each price with the hours from the start at which it begins and ends. */
async function historyOf(shop: TestShop, id: string, start: number) {
  const { rows } = await shop.services.database.pool.query<{
    price: string
    since: Date
    until: Date | null
  }>('select price, since, until from product_prices where product_id = $1 order by since', [id])
  const hours = (at: Date | null) => at && Math.abs(Math.round((at.getTime() - start) / hourMs))
  return rows.map(({ price, since, until }) => [Number(price), hours(since), hours(until)])
}

test('a price counts while the product is for sale at it, and no longer', async () => {
  await using shop = await openTestShop({ clock, hasWorkers: false })
  const { services } = shop
  const start = Date.now()
  const { id } = await shop.product('digital')
  const at = (hour: number) => void (time.ahead = hour * hourMs)
  at(1)
  await given.price(shop, 'digital', 20)
  at(2)
  await changeProduct(services, author, id, { name: 'Another name' })
  await changeProduct(services, author, id, { is_for_sale: false })
  at(3)
  await changeProduct(services, author, id, { price: 12 })
  at(4)
  await changeProduct(services, author, id, { is_for_sale: true })
  at(5)
  await setArchived(services, author, id, true)
  at(6)
  await setArchived(services, author, id, false)
  expect(await historyOf(shop, id, start)).toEqual([
    [14.99, 0, 1],
    [20, 1, 2],
    [12, 4, 5],
  ])
  const copy = await copyProduct(services, author, id)
  const added = { name: 'A card', description: '', price: 3, format: 'paperback' as const, contents: [] }
  const card = await addProduct(services, author, added)
  const isRecorded = async (of: string) => (await historyOf(shop, of, start)).length
  await expect.poll(() => isRecorded(card)).toBe(1)
  expect(await isRecorded(copy)).toBe(0)
})

test('many changes at once leave each product one present price', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { id } = await shop.product('digital')
  const prices = [11, 12, 13, 14, 15, 16]
  await Promise.all(prices.map((price) => changeProduct(shop.services, author, id, { price })))
  const query = 'select product_id, price::float8 from product_prices where until is null'
  const { rows } = await shop.services.database.pool.query<{ product_id: string; price: number }>(query)
  expect(new Set(rows.map(({ product_id }) => product_id)).size).toBe(rows.length)
  expect(rows.find(({ product_id }) => product_id === id)?.price).toBe((await shop.product('digital')).price)
})

test('what the database shows otherwise than by this process is found, and a lost file ends the price', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const start = Date.now()
  const { pool } = shop.services.database
  const { id } = await shop.product('digital')
  await pool.query('update products set price = 9 where id = $1', [id])
  const prices = async () => (await historyOf(shop, id, start)).map(([price, , until]) => [price, until])
  await expect.poll(prices).toEqual([
    [14.99, 0],
    [9, null],
  ])
  await pool.query('delete from product_files where product_id = $1', [id])
  await expect.poll(prices).toEqual([
    [14.99, 0],
    [9, 0],
  ])
})

test('an own book begins anew: its price is 0 while it is given away, and its own once money is taken', async () => {
  await using stripe = await startStripe()
  const { STRIPE_SECRET_KEY: secret_key, STRIPE_API_BASE = '' } = stripe.env
  const env = { STRIPE_API_BASE, RATE_LIMIT: 'off' }
  await using shop = await openTestShop({ hasWorkers: false, env })
  const { pool } = shop.services.database
  const admin = await shop.person({ role: 'admin' })
  const prices = async () => {
    const query = 'select price::float8, until is null as is_current from product_prices order by since'
    return (await pool.query<{ price: number; is_current: boolean }>(query)).rows.map(
      ({ price, is_current }) => [price, is_current],
    )
  }
  await take(shop, admin, 'songs-of-the-road.epub')
  await call(admin, 'PUT', 'setup/offers', { offers: [{ format: 'digital', price: 7 }] })
  const { revision } = await draftOf(admin)
  expect((await call(admin, 'POST', 'setup/open', { revision })).status).toBe(200)
  await expect.poll(prices).toEqual([])
  const { json } = await call<SettingsGroup>(admin, 'GET', 'settings/payments')
  const change = { revision: json.revision, values: { without_key: 'free' } }
  expect((await saveGroup(admin, change, 'payments')).status).toBe(200)
  await expect.poll(prices).toEqual([[0, true]])
  expect((await call(admin, 'PUT', 'payments/connection', { secret_key })).status).toBe(200)
  await expect.poll(prices).toEqual([
    [0, false],
    [7, true],
  ])
})

test('an upgrade begins with the last change that the audit log knows, and with what was charged before it', async () => {
  await using database = await openFirstSchema()
  const { pool } = database
  const products = [
    ['00000000-0000-7000-8000-000000000001', 'Never changed', 10, true],
    ['00000000-0000-7000-8000-000000000002', 'Raised', 20, true],
    ['00000000-0000-7000-8000-000000000003', 'Raised long ago', 30, true],
    ['00000000-0000-7000-8000-000000000004', 'Hidden', 40, false],
  ] as const
  for (const [id, name, price, is_for_sale] of products)
    await pool.query(
      `insert into products (id, name, price, format, is_digital, is_for_sale, created_at)
      values ($1, $2, $3, 'paperback', false, $4, now() - interval '100 days')`,
      [id, name, price, is_for_sale],
    )
  const log = (product: number, action: string, detail: object, days: number) =>
    pool.query(
      `insert into audit_log (id, actor, action, subject, subject_id, detail, created_at)
      values (gen_random_uuid(), 'author', $1, 'A book', $2, $3, now() - make_interval(days => $4))`,
      [action, products[product]![0], detail, days],
    )
  await log(1, 'products.added', { price: 15 }, 50)
  await log(1, 'products.changed', { price: { from: 15, to: 18 } }, 40)
  await log(1, 'products.changed', { price: { from: 18, to: 20 } }, 5)
  await log(1, 'products.changed', { name: { from: 'Old', to: 'Raised' } }, 1)
  await log(2, 'products.changed', { price: { from: 25, to: 30 } }, 60)
  await log(2, 'products.changed', { is_for_sale: { from: false, to: true } }, 3)
  await log(3, 'products.changed', { price: { from: 1, to: 40 } }, 60)
  await migrateDatabase(database)
  const { rows } = await pool.query(
    `select p.name, h.price::float8, h.currency, round(extract(epoch from now() - h.since) / 86400)::int as since,
      round(extract(epoch from now() - h.until) / 86400)::int as until
    from product_prices h join products p on p.id = h.product_id order by p.id, h.since`,
  )
  expect(rows).toEqual([
    { name: 'Never changed', price: 10, currency: 'usd', since: 0, until: null },
    { name: 'Raised', price: 18, currency: 'usd', since: 40, until: 5 },
    { name: 'Raised', price: 20, currency: 'usd', since: 5, until: null },
    { name: 'Raised long ago', price: 30, currency: 'usd', since: 3, until: null },
  ])
})
