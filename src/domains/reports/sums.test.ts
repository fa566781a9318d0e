// The sums of the admin area follow every change of a purchase, also of many at the same moment.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { giveRefund } from '#test/factories.ts'
import { untilWaiting } from '#test/lock-waiters.ts'
import { readSums } from '#test/sales-sums.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { alignDayZone } from '#domains/settings/sums-settings.ts'
import { someAddress } from '#test/addresses.ts'
import { makeBook } from '#test/epub.ts'
import { openProductsShop } from '#test/products.ts'
import { upload } from '#test/upload.ts'

async function expectEqual({ services }: TestShop) {
  const { kept, counted, keptApart, countedApart, wrongUsers, people } = await readSums(services.database)
  expect(kept).toEqual(counted)
  expect(keptApart).toEqual(countedApart)
  expect(wrongUsers).toEqual([])
  expect(people.kept).toBe(people.counted)
  return kept
}

/** An id of a code that nobody can use: its uses are inserted. */
async function giveCode({ pool }: TestShop['services']['database'], code: string): Promise<string> {
  const id = randomUUID()
  await pool.query('insert into discount_codes (id, code, percent) values ($1, $2, 10)', [id, code])
  return id
}

test('the sums equal the rows after buying, refunding, moving and deleting', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const { pool } = shop.services.database
  const buyers = [await shop.person(), await shop.person()]
  const formats = ['digital', 'paperback', 'bundle'] as const
  const ids = await Promise.all(formats.map(async (format) => (await shop.product(format)).id))
  await Promise.all(Array.from({ length: 60 }, (_, at) => buyers[at % 2]!.buy(ids[at % 3]!)))
  const bought = await expectEqual(shop)
  expect(bought.map(({ revenue }) => revenue).toSorted((a, b) => a - b)).toEqual([299.8, 499.8, 999.4])

  const { rows } = await pool.query<{ id: string }>('select id from purchases order by id')
  const some = (from: number, count: number, change: (id: string) => Promise<unknown>) =>
    rows.slice(from, from + count).map(({ id }) => change(id))
  const refund = (amount: number) => (id: string) => giveRefund(shop.services.db, id, amount)
  const set = (values: string) => (id: string) =>
    pool.query(`update purchases set ${values} where id = $1`, [id])
  const remove = (id: string) => pool.query('delete from purchases where id = $1', [id])
  const [spring, launch] = [
    await giveCode(shop.services.database, 'SPRING'),
    await giveCode(shop.services.database, 'LAUNCH'),
  ]
  const use = (code: string) => (id: string) =>
    pool.query(
      `with used as (update purchases set code_id = $2 where id = $1)
       insert into discount_uses (purchase_id, code_id, discount) values ($1, $2, 1)`,
      [id, code],
    )
  const send = (country: string) => set(`country = '${country}'`)
  await Promise.all([...some(0, 20, use(spring)), ...some(20, 20, use(launch)), ...some(0, 40, send('DE'))])
  await Promise.all(some(40, 20, set(`country = 'AT'`)))
  await Promise.all(some(0, 30, set(`created_at = created_at - interval '40 days'`)))
  await Promise.all([
    ...some(0, 10, refund(14.99)),
    ...some(20, 10, refund(1.5)),
    ...some(0, 10, set(`status = 'refunded'`)),
    ...some(5, 10, set('amount = amount + 5')),
    ...some(12, 9, set(`created_at = created_at - interval '40 days'`)),
    ...some(31, 6, set(`product_id = '${ids[0]}'`)),
    ...some(40, 7, remove),
    ...some(3, 4, set(`status = 'completed'`)),
    ...some(50, 5, set(`status = 'canceled'`)),
    ...some(52, 2, set(`status = 'pending'`)),
    ...some(25, 12, send('FR')),
    ...some(54, 4, set('amount = 0')),
    ...some(56, 4, set(`country = null`)),
  ])
  await expectEqual(shop)

  await Promise.all(some(0, 15, remove))
  await expectEqual(shop)
  await pool.query('select sums_rebuild()')
  await expectEqual(shop)
  await pool.query('delete from purchases')
  expect(await expectEqual(shop)).toEqual([])
  expect((await pool.query('select sum(revenue) as revenue from sales_day')).rows).toEqual([{ revenue: 0 }])
})

test('a purchase that moves to another product or country takes its refunds along', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { pool } = shop.services.database
  const user = await shop.person()
  const { id } = await user.buy((await shop.product('digital')).id)
  const paperback = await shop.product('paperback')
  await giveRefund(shop.services.db, id, 3)
  await pool.query(`update purchases set product_id = $1, country = 'DE'`, [paperback.id])
  await giveRefund(shop.services.db, id, 1)
  expect(await expectEqual(shop)).toMatchObject([{ product_id: paperback.id, revenue: 10.99, refunded: 4 }])
  await pool.query(`update purchases set country = 'FR'`)
  await expectEqual(shop)
  const { keptApart } = await readSums(shop.services.database)
  expect(keptApart.countries).toMatchObject([{ country: 'FR', sold: 1, revenue: 10.99 }])
})

test('two of a user’s purchases that are deleted at the same moment leave the right last one', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { pool } = shop.services.database
  const user = await shop.person()
  const { id: product_id } = await shop.product('digital')
  for (let bought = 0; bought < 3; bought += 1) await user.buy(product_id)
  const { rows } = await pool.query<{ id: string }>('select id from purchases order by created_at desc')
  const [latest, second] = rows.map(({ id }) => id)
  const first = await pool.connect()
  await first.query('begin')
  await first.query('delete from purchases where id = $1', [latest])
  await first.query('set constraints all immediate')
  const other = pool.query('delete from purchases where id = $1', [second])
  await untilWaiting(shop.services.database, 1)
  await first.query('commit')
  first.release()
  await other
  await expectEqual(shop)
})

test('a day begins at midnight where the shop is at home', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { pool } = shop.services.database
  const user = await shop.person()
  await user.buy((await shop.product('digital')).id)
  await pool.query(`update purchases set created_at = '2026-03-01T03:00:00Z'`)
  expect(await expectEqual(shop)).toMatchObject([{ day: '2026-03-01' }])
  await alignDayZone(shop.services.database, 'America/New_York')
  expect(await expectEqual(shop)).toMatchObject([{ day: '2026-02-28', purchases: 1 }])
})

test('a new time zone that other queries block changes nothing, and says so', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { database } = shop.services
  const zone = async () => (await database.pool.query('select time_zone from sums_settings')).rows
  const other = await database.pool.connect()
  using _released = { [Symbol.dispose]: () => other.release(true) }
  await other.query('begin; lock table purchases in row exclusive mode')
  await expect(alignDayZone(database, 'Europe/Berlin', { retries: 0 })).rejects.toThrow(
    /^Other processes use the tables/,
  )
  await other.query('rollback')
  expect(await zone()).toEqual([{ time_zone: 'UTC' }])
  await alignDayZone(database, 'Europe/Berlin')
  expect(await zone()).toEqual([{ time_zone: 'Europe/Berlin' }])
})

test('no more is refunded than was paid, nothing is counted twice, and what was saved stays', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { pool } = shop.services.database
  const user = await shop.person()
  const { id } = await user.buy((await shop.product('digital')).id)
  const refund = (amount: number, external_id: string) =>
    pool.query(
      `insert into adjustments (id, purchase_id, kind, amount, external_id) values ($1, $2, 'refund', $3, $4)`,
      [randomUUID(), id, -amount, external_id],
    )
  await refund(10, 'first')
  await expect(refund(10, 'second')).rejects.toThrow('purchases_refunded')
  await expect(refund(1, 'first')).rejects.toThrow('external_id')
  await expect(pool.query('update adjustments set amount = 0')).rejects.toThrow('only ever added to')
  await expect(pool.query('delete from audit_log')).rejects.toThrow('only ever added to')
  await expectEqual(shop)
})

test('country and code of a purchase, the number of an edition and a top role follow what they depend on', async () => {
  await using shop = await openProductsShop({ hasWorkers: false })
  const { pool } = shop.services.database
  const [admin, reader] = [await shop.person({ role: 'admin' }), await shop.person()]
  await admin.call('POST', '/api/admin/discounts', { body: { code: 'SPRING', percent: 10 } })
  const { id: product_id } = await shop.product('paperback')
  const body = { product_id, code: 'SPRING', address: someAddress }
  const bought = await reader.call('POST', '/api/purchases', { body })
  const { id } = (await bought.json()) as { id: string }
  const read = async () => {
    const { rows } = await pool.query<{ country: string; code: string }>(
      'select p.country, c.code from purchases p left join discount_codes c on c.id = p.code_id where p.id = $1',
      [id],
    )
    return rows
  }
  expect(await read()).toEqual([{ country: someAddress.country, code: 'SPRING' }])
  const address = { ...someAddress, state: 'ON', postal_code: 'K1A 0B1', country: 'CA' }
  await admin.call('PUT', `/api/admin/shipments/${id}/address`, { body: address })
  expect(await read()).toEqual([{ country: 'CA', code: 'SPRING' }])

  const digital = await shop.product('digital')
  const content = makeBook({ 'one.xhtml': '<p>One</p>' })
  const upload_id = await upload(shop, admin, content, 'book.epub')
  await admin.call('POST', `/api/admin/products/${digital.id}/editions`, { body: { upload_id } })
  const { rows: editions } = await pool.query(
    `select edition from product_files where product_id = $1 and file_format = 'epub' order by edition`,
    [digital.id],
  )
  expect(editions).toEqual([{ edition: 1 }, { edition: 2 }])

  const topRole = async () =>
    (await pool.query('select top_role from profiles where user_id = $1', [reader.id])).rows
  const role = `/api/admin/users/${reader.id}/roles/moderator`
  await admin.call('PUT', role, { body: {} })
  expect(await topRole()).toEqual([{ top_role: 'moderator' }])
  await admin.call('DELETE', role, { body: {} })
  expect(await topRole()).toEqual([{ top_role: 'user' }])
})
