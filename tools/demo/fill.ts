// Fills a shop with made-up users and purchases: all of it or nothing, a shop whose filling was broken off is as it was.
import type { Client } from 'pg'
import { refundDays } from '#features/payments/contract/refund-period.ts'
import { restore, strip } from './bare.ts'
import { copyRows } from './copy.ts'
import { makePurchases, type Product } from './purchases.ts'
import { makeReaders, type Readers } from './readers.ts'
import { addShipments } from './shipments.ts'

export type Wanted = { users: number; purchases: number; years: number; seed: number; isForced: boolean }
/** What is being done, and how far it is. */
export type Tell = (what: string, done: number, all: number) => void

/** Throws when the shop has purchases of its own, unless forced. */
export async function fill(client: Client, wanted: Wanted, tell: Tell): Promise<void> {
  await client.query('begin')
  await prepare(client, wanted)
  const parts = await strip(client)
  const readers = await addUsers(client, wanted, tell)
  await addPurchases(client, wanted, readers, tell)
  await addRefunds(client)
  await addShipments(client)
  tell('sums', 0, 1)
  await client.query('select sums_rebuild()')
  tell('sums', 1, 1)
  await restore(client, parts, (done) => tell('indexes', done, parts.length))
  await addMessages(client, readers)
  await client.query('commit')
  tell('tidying up', 0, 1)
  await client.query(
    'vacuum (analyze) auth.users, profiles, user_roles, purchases, adjustments, shipments, user_sums, sales_day',
  )
  tell('tidying up', 1, 1)
}

async function prepare(client: Client, { isForced }: Wanted): Promise<void> {
  const { rowCount } = await client.query('select from purchases limit 1')
  if (rowCount && !isForced)
    throw new Error('This shop has purchases already. With --force the made-up ones are added to them.')
  const settings = {
    statement_timeout: '0',
    maintenance_work_mem: '512MB',
    work_mem: '128MB',
    max_parallel_maintenance_workers: '2',
    // A container's shared memory is small.
    enable_parallel_hash: 'off',
  }
  for (const [name, value] of Object.entries(settings)) await client.query(`set local ${name} = '${value}'`)
}

async function addUsers(client: Client, { users, years, seed }: Wanted, tell: Tell): Promise<Readers> {
  const { rows } = await client.query<{ last: number }>(`
    select coalesce(max(substring(email from '^reader-(\\d+)@demo')::integer), 0) as last from profiles
    where email like 'reader-%@demo.example.com'`)
  const to = Date.now()
  const span = { from: to - years * 365 * 86_400_000, to }
  const readers = makeReaders(seed, { count: users, before: rows[0]!.last, span })
  function* each<Row>(row: (reader: ReturnType<Readers['get']>) => Row) {
    for (let n = 1; n <= users; n++) yield row(readers.get(n))
  }
  const step = (nth: number) => (done: number) => tell('readers', nth * users + done, 3 * users)
  await copyRows(
    client,
    'auth.users (id, email, user_metadata, email_confirmed_at, created_at)',
    each(({ id, email, name, joined }) => [
      id,
      email,
      JSON.stringify(name === undefined ? {} : { display_name: name }),
      joined,
      joined,
    ]),
    step(0),
  )
  await copyRows(
    client,
    'profiles (user_id, email, display_name, created_at)',
    each(({ id, email, name, joined }) => [id, email, name ?? null, joined]),
    step(1),
  )
  await copyRows(
    client,
    'user_roles (user_id, role)',
    each(({ id }) => [id, 'user']),
    step(2),
  )
  return readers
}

async function addPurchases(client: Client, { purchases, seed }: Wanted, readers: Readers, tell: Tell) {
  const { rows: products } = await client.query<{ id: string; price: string; format: string }>(
    'select id, price, format from products order by price, id',
  )
  const { rows } = await client.query<{ count: string }>('select count(*) from purchases')
  const made = makePurchases(seed, {
    count: purchases,
    before: Number(rows[0]!.count),
    readers,
    products: products.map(({ id, price, format }): Product => ({ id, price: Number(price), format })),
  })
  await copyRows(
    client,
    'purchases (id, user_id, product_id, amount, refunded, status, created_at)',
    made.map(({ id, user_id, product, refunded, status, created_at }) => [
      id,
      user_id,
      product.id,
      product.price,
      refunded,
      status,
      created_at,
    ]),
    (done) => tell('purchases', done, purchases),
  )
}

async function addRefunds(client: Client): Promise<void> {
  await client.query(`
    insert into adjustments (id, purchase_id, kind, amount, note, created_at)
    select gen_random_uuid(), id, 'refund', -refunded, '', least(now(), created_at + random() * interval '${refundDays} days')
    from purchases p where refunded > 0 and not exists (select from adjustments a where a.purchase_id = p.id)`)
}

async function addMessages(client: Client, readers: Readers): Promise<void> {
  const writers = Array.from({ length: Math.min(12, readers.count) }, (_, nth) => readers.get(nth + 1))
  for (const { name, email } of writers.filter((reader) => reader.name !== undefined)) {
    await client.query(
      `insert into contact_messages (id, name, email, subject, message, created_at)
       values (gen_random_uuid(), $1, $2, 'A question about the book',
         'I have read the first chapters with joy. Will there be a workbook for groups?', now() - random() * interval '60 days')`,
      [name, email],
    )
  }
}
