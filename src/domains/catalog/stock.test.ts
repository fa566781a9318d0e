// Copies of a book on paper: counted down with each sale, never below none, and back where that is honest.
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import type { AdminProduct, Product } from '#contract/catalog/products.ts'
import { untilWaiting } from '#test/lock-waiters.ts'
import { soon } from '#test/retries.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import type { Person } from '#test/users.ts'

/** The tests that find their own rows in any shop share this one. */
const shop = await openTestShop({ hasWorkers: false })
afterAll(() => shop[Symbol.asyncDispose]())

async function count(admin: Person, id: string, copies: number | null, seen: number | null = null) {
  return admin.call('PUT', `/api/admin/products/${id}/stock`, { body: { copies, seen } })
}

const readProduct = async (admin: Person, id: string) =>
  (await (await admin.call('GET', `/api/admin/products/${id}`)).json()) as AdminProduct

const buy = (person: Person, product_id: string) =>
  person.call('POST', '/api/purchases', {
    body: { product_id },
    headers: { 'idempotency-key': randomUUID() },
  })

const soldOut = async (shop: TestShop) =>
  ((await (await shop.call('GET', '/api/products')).json()) as Product[])
    .filter(({ is_sold_out }) => is_sold_out)
    .map(({ format }) => format)

const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code

test('copies count down, at none the page says so of the book and of bundles with it, and more can come', async () => {
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await shop.product('hardcover')
  expect(await readProduct(admin, id)).toMatchObject({ copies: null, is_sold_out: false })
  const response = await count(admin, id, 2)
  expect(await response.json()).toMatchObject({ copies: 2, copies_reserved: 0 })
  expect(await soldOut(shop)).toEqual([])

  const key = randomUUID()
  const again = { body: { product_id: id }, headers: { 'idempotency-key': key } }
  expect((await user.call('POST', '/api/purchases', again)).status).toBe(201)
  await user.buy((await shop.product('bundle')).id)
  await expect.poll(() => soldOut(shop)).toEqual(['hardcover', 'bundle'])
  for (const format of ['hardcover', 'bundle']) {
    const refused = await buy(user, (await shop.product(format)).id)
    expect([refused.status, await codeOf(refused)]).toEqual([409, 'stock.sold_out'])
  }
  // What was bought stays bought.
  expect((await user.call('POST', '/api/purchases', again)).status).toBe(200)
  expect((await buy(user, (await shop.product('paperback')).id)).status).toBe(201)

  expect((await count(admin, id, 1, 0)).status).toBe(200)
  await expect.poll(() => soldOut(shop)).toEqual([])
  expect((await buy(user, id)).status).toBe(201)
  expect((await count(admin, id, null, 0)).status).toBe(200)
  expect((await buy(user, id)).status).toBe(201)
})

test('copies are counted on paper only, and a number that is no longer what the author saw is refused', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await shop.product('paperback')
  for (const format of ['digital', 'bundle'])
    expect(await codeOf(await count(admin, (await shop.product(format)).id, 3))).toBe('stock.not_on_paper')
  expect(await codeOf(await count(admin, randomUUID(), 3))).toBe('products.not_found')
  for (const copies of [-1, 1.5, 1_000_001, '3'] as number[])
    expect((await count(admin, id, copies)).status).toBe(422)
  await count(admin, id, 3)
  await user.buy(id)
  expect(await codeOf(await count(admin, id, 10, 3))).toBe('stock.changed_meanwhile')
  expect(await readProduct(admin, id)).toMatchObject({ copies: 2 })
  const { rows } = await shop.services.database.pool.query(
    `select detail from audit_log where action = 'products.stock_set'`,
  )
  expect(rows).toEqual([{ detail: { copies: { from: null, to: 3 } } }])
})

test('of many buyers at once, as many get a copy as there are', async () => {
  await using shop = await openTestShop({ hasWorkers: false, env: { RATE_LIMIT: 'off' } })
  const admin = await shop.person({ role: 'admin' })
  const [paperback, bundle] = [await shop.product('paperback'), await shop.product('bundle')]
  await count(admin, paperback.id, 3)
  await count(admin, (await shop.product('hardcover')).id, 100)
  const people = await Promise.all(Array.from({ length: 12 }, () => shop.person()))
  const responses = await Promise.all(
    people.map((person, nth) => buy(person, nth % 2 ? bundle.id : paperback.id)),
  )
  const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b)
  expect(statuses).toEqual([...Array<number>(3).fill(201), ...Array<number>(9).fill(409)])
  expect(await readProduct(admin, paperback.id)).toMatchObject({ copies: 0, sold: expect.any(Number) })
  const { rows } = await shop.services.database.pool.query(
    `select (select count(*) from purchases) as purchases, (select count(*) from taken_copies
      where product_id = $1) as taken`,
    [paperback.id],
  )
  expect(rows).toEqual([{ purchases: 3, taken: 3 }])
})

test('who waits for the last copy gets it when the other purchase is undone', async () => {
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await shop.product('paperback')
  await count(admin, id, 1)
  const client = await shop.services.database.pool.connect()
  await client.query('begin')
  await client.query('update stock set copies = 0')
  const waiting = buy(user, id)
  await untilWaiting(shop.services.database, 1)
  await client.query('rollback')
  client.release()
  expect((await waiting).status).toBe(201)
})

test('a refund brings the copy back unless its parcel has left', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const { id } = await shop.product('paperback')
  await count(admin, id, 2)
  const [first, second] = [await user.buy(id), await user.buy(id)]
  await admin.call('POST', '/api/admin/shipments/shipped', {
    body: { parcels: [{ purchase_id: second.id }] },
  })
  const refund = (purchase_id: string, body: object) =>
    admin.call('POST', `/api/admin/purchases/${purchase_id}/refund`, { body })
  await refund(first.id, { amount: 1 })
  expect(await readProduct(admin, id)).toMatchObject({ copies: 0 })
  for (const { id: purchase_id } of [first, second]) expect((await refund(purchase_id, {})).status).toBe(202)
  await soon(shop, async () => (await readProduct(admin, id)).copies).toBe(1)
  const { rows } = await shop.services.database.pool.query('select purchase_id from taken_copies')
  expect(rows).toEqual([{ purchase_id: second.id }])
})
