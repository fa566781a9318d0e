// The tests of the removal of the sample's products: every reference to a product, and races with buyers.
import { expect, test } from 'vitest'
import type { Transaction } from '#platform/db/client.ts'
import { untilWaiting } from '#test/lock-waiters.ts'
import { openTestShop, type TestShop } from '#test/shop.ts'
import { removeSamples } from './sample-removal.ts'

const author = { id: null, email: 'author@example.com', ip: null }

async function remove(tx: Transaction, { services }: TestShop) {
  return removeSamples(tx, { ...services, db: tx }, author)
}

/** Each entry has a reference, the statement that makes it, and the formats that it keeps. */
const references: [string, string, string[]][] = [
  [
    'a purchase',
    `insert into purchases (id, product_id, amount, status) select gen_random_uuid(), id, 1, 'canceled'
      from products where format = 'digital'`,
    ['digital'],
  ],
  [
    'a purchase of the bundle, whose buyer has its parts',
    `insert into purchases (id, product_id, amount, status) select gen_random_uuid(), id, 1, 'canceled'
      from products where format = 'bundle'`,
    ['digital', 'paperback', 'hardcover', 'bundle'],
  ],
  [
    'a code',
    `insert into discount_codes (id, code, percent, product_id) select gen_random_uuid(), 'TEN', 10, id
      from products where format = 'hardcover'`,
    ['hardcover'],
  ],
  [
    'a gift',
    `insert into purchase_gifts (product_id, email, sender_name, send_at, revision)
      select id, 'a@example.com', '', now(), gen_random_uuid() from products where format = 'paperback'`,
    ['paperback'],
  ],
  [
    'an entry of a waitlist',
    `insert into release_waitlist (id, product_id, email) select gen_random_uuid(), id, 'a@example.com'
      from products where format = 'digital'`,
    ['digital'],
  ],
  [
    'an email about a product',
    `insert into scheduled_emails (kind, about) select 'release_out', id from products where format = 'paperback'`,
    ['paperback'],
  ],
  [
    'an email about an edition',
    `insert into scheduled_emails (kind, about) select 'edition', f.id from product_files f
      join products p on p.id = f.product_id where p.format = 'digital' and f.file_format = 'pdf'`,
    ['digital'],
  ],
  [
    'a bundle of the author',
    `with own as (
      insert into products (id, name, price, format) values (gen_random_uuid(), 'My bundle', 9, 'bundle') returning id)
    insert into bundle_items select own.id, p.id from own, products p where p.format = 'paperback'`,
    ['paperback'],
  ],
]

test('a sample product to which something refers is archived, and the others are deleted with their rows', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { db, database } = shop.services
  const undone = new Error('undone')
  for (const [name, insert, left] of references) {
    const removing = db.transaction(async (tx) => {
      await tx.execute(insert)
      await remove(tx, shop)
      const { rows } = await tx.execute<{ format: string; archived_at: string | null }>(
        `select format, archived_at from products where name not like 'My%'
          order by array_position('{digital,paperback,hardcover,bundle}', format)`,
      )
      expect([name, rows.map(({ format }) => format)]).toEqual([name, left])
      expect(rows.every(({ archived_at }) => archived_at !== null)).toBe(true)
      throw undone
    })
    await expect(removing).rejects.toThrow(undone)
  }
  await db.transaction((tx) => remove(tx, shop))
  const { rows } = await database.pool.query(`
    select (select count(*) from products) + (select count(*) from product_files) + (select count(*) from bundle_items)
      + (select count(*) from product_prices) as rows, (select count(*) from unsettled_files) as files`)
  expect(rows).toEqual([{ rows: 0, files: 3 }])
})

test('every foreign key to a product or its files is one that the removal knows', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { rows } = await shop.services.database.pool.query<{ name: string }>(`
    select distinct conrelid::regclass::text as name from pg_constraint
    where contype = 'f' and confrelid in ('products'::regclass, 'product_files'::regclass) order by name`)
  expect(rows.map(({ name }) => name)).toEqual([
    'bundle_items',
    'discount_codes',
    'edition_announcements',
    'payment_faults',
    'product_files',
    'product_prices',
    'purchase_gifts',
    'purchases',
    'release_waitlist',
    'sales_day',
    'sales_day_by_code',
    'sales_day_by_country',
    'stock',
    'taken_copies',
  ])
})

test('who buys a sample product while it is deleted is refused, and one that was bought first stays', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { db, database } = shop.services
  const reader = await shop.person()
  const { id: paperback } = await shop.product('paperback')
  const { id: digital } = await shop.product('digital')
  const client = await database.pool.connect()
  await client.query('begin')
  await client.query(
    `insert into purchases (id, product_id, amount, status) values (gen_random_uuid(), $1, 1, 'canceled')`,
    [paperback],
  )
  const undone = new Error('undone')
  const removing = db.transaction(async (tx) => {
    await remove(tx, shop)
    const { rows } = await tx.execute('select id, archived_at from products')
    expect(rows).toEqual([{ id: paperback, archived_at: expect.any(String) }])
    throw undone
  })
  await untilWaiting(database, 1)
  await client.query('commit')
  client.release()
  await expect(removing).rejects.toThrow(undone)

  const { refused } = await db.transaction(async (tx) => {
    await remove(tx, shop)
    const late = reader.call('POST', '/api/purchases', { body: { product_id: digital } })
    await untilWaiting(database, 1)
    return { refused: late }
  })
  expect(await (await refused).json()).toMatchObject({ status: 404, code: 'products.not_found' })
})
