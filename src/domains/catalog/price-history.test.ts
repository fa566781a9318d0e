// Which prices count as those at which a product was for sale to the public, and since when.
import { startStripe } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import { call, draftOf, take } from '#test/book-setup.ts'
import { given } from '#test/given.ts'
import { saveGroup } from '#test/settings.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { clock, time } from '#test/time.ts'
import { hourMs } from '#contract/durations.ts'
import type { SettingsGroup } from '#contract/settings/settings.ts'
import { changeProduct, setArchived } from './change-products.ts'
import { addProduct, copyProduct } from './products.ts'

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
  const words = { name: 'A card', description: '', contents: [] }
  const added = { ...words, price: 3, format: 'paperback' as const, is_for_sale: true, release_on: null }
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
