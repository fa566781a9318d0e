// Test orders: marked where they are made; shown as such, and in no sum, once the shop has taken money.
import { startStripe } from '@lectern/stripe-stand-in'
import { expect, test } from 'vitest'
import { openFirstSchema } from '#test/first-schema.ts'
import { givePurchases } from '#test/factories.ts'
import { readSums } from '#test/sales-sums.ts'
import { migrateDatabase } from '#platform/db/migrate.ts'
import type { Page } from '#contract/fields.ts'
import { buy, buyAndPay, openPaidShop } from '#test/paying.ts'
import type { Order } from '#contract/orders/admin-orders.ts'
import type { Sales } from '#contract/operations/sales.ts'
import { alignTestOrders, stopCountingSample } from './sums-settings.ts'

test('test orders count like others, and leave the sums for good when the shop takes money', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { database } = shop.services
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  const sales = async () => (await (await admin.call('GET', '/api/admin/sales')).json()) as Sales
  const id = await buyAndPay(shop, stripe, user)
  expect((await sales()).totals).toMatchObject({ total_revenue: 14.99, completed_purchases: 1 })
  const listed = async () =>
    ((await (await admin.call('GET', '/api/admin/purchases')).json()) as Page<Order>).items
  const receipt = async () => (await user.call('GET', `/api/purchases/${id}/receipt`)).json()
  expect([await listed(), await receipt()]).toMatchObject([[{ id, is_test: false }], { is_test: false }])

  await alignTestOrders(database)
  expect([await listed(), await receipt()]).toMatchObject([[{ id, is_test: true }], { is_test: true }])
  const nothing = { total_revenue: 0, total_purchases: 0, completed_purchases: 0 }
  expect((await sales()).totals).toMatchObject(nothing)
  // Later changes of test orders, and later test orders, stay out as well.
  await database.pool.query(`update purchases set created_at = created_at - interval '3 days'`)
  await admin.call('POST', `/api/admin/purchases/${id}/refund`, { body: { amount: 5, reason: '' } })
  await buy(shop, user, 'bundle')
  expect((await sales()).totals).toMatchObject(nothing)
  const { rows } = await database.pool.query(
    'select total_purchases, total_spent from user_sums where user_id = $1',
    [user.id],
  )
  expect(rows).toEqual([{ total_purchases: 0, total_spent: 0 }])
  await database.pool.query('select sums_rebuild()')
  expect((await sales()).totals).toMatchObject(nothing)
  await database.pool.query('delete from purchases')
  expect((await sales()).totals).toMatchObject(nothing)
})

test('a test order that the version before has made beside this one leaves the sums as well', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { database } = shop.services
  const admin = await shop.person({ role: 'admin' })
  await buyAndPay(shop, stripe, await shop.person())
  await database.pool.query('update purchases set is_test = false')
  await alignTestOrders(database)
  const { totals } = (await (await admin.call('GET', '/api/admin/sales')).json()) as Sales
  expect(totals).toMatchObject({ total_revenue: 0, total_purchases: 0 })
  const { rows } = await database.pool.query('select is_test from purchases')
  expect(rows).toEqual([{ is_test: true }])
})

test('test orders leave the sums when an own book opens, also what the version before has made unmarked', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { db, database } = shop.services
  const [admin, user] = [await shop.person({ role: 'admin' }), await shop.person()]
  await buyAndPay(shop, stripe, user)
  const product_id = (await shop.product('digital')).id
  // The last is of the sample, as the version before inserts it.
  const rows = [{ amount: 0n }, { amount: 500n, is_test: true }, { amount: 700n }]
  await givePurchases(db, rows.length, (n) => ({ user_id: user.id, product_id, ...rows[n - 1] }))
  await db.transaction((tx) => stopCountingSample(tx))
  const { totals } = (await (await admin.call('GET', '/api/admin/sales')).json()) as Sales
  expect(totals).toMatchObject({ total_revenue: 0, total_purchases: 1, completed_purchases: 1 })
  const { kept, counted, wrongUsers } = await readSums(database)
  expect([kept, wrongUsers]).toEqual([counted, []])
  expect(kept).toMatchObject([{ sold: 0, free: 1, tests: 3 }])
})

const sampleRows = `
  insert into products (id, name, price, format) values ('00000000-0000-7000-8000-000000000001', 'Sample', 15, 'digital');
  insert into profiles (user_id, email) values
    ('00000000-0000-7000-8000-00000000000a', 'admin@example.com'), ('00000000-0000-7000-8000-00000000000b', 'b@example.com');
  insert into user_roles values ('00000000-0000-7000-8000-00000000000a', 'admin');
  insert into purchases (id, user_id, product_id, amount, status, is_test, country)
    select gen_random_uuid(), ('00000000-0000-7000-8000-00000000000' || who)::uuid, '00000000-0000-7000-8000-000000000001',
      amount, status, is_test, country
    from (values
      ('a', 1, 'completed', false, null), ('b', 2, 'completed', false, 'DE'), ('b', 3, 'refunded', false, null),
      ('b', 0, 'completed', false, null), ('b', 5, 'completed', true, 'US'), ('b', 6, 'pending', true, null),
      ('b', 7, 'completed', false, null)
    ) made (who, amount, status, is_test, country);
  insert into checkouts (purchase_id, is_live) select id, amount = 7 from purchases where amount between 5 and 7;
  insert into adjustments (id, purchase_id, kind, amount) select gen_random_uuid(), id, 'refund', -amount
    from purchases where amount in (3, 5)`

/** The amounts of the orders that are test orders after an upgrade, and whether it has left the sums as they were. */
async function upgrade(...changes: string[]) {
  await using database = await openFirstSchema()
  for (const statement of [sampleRows, ...changes]) await database.pool.query(statement)
  const totals = async () => {
    const { rows } = await database.pool.query(`
      select (select jsonb_agg(to_jsonb(u) order by user_id) from user_sums u) as users,
        (select jsonb_agg(d) from (select sum(purchases) as purchases, sum(completed) as completed, sum(revenue) as revenue
          from sales_day) d) as days`)
    return rows
  }
  const before = await totals()
  await migrateDatabase(database)
  expect(await totals()).toEqual(before)
  const { kept, counted, keptApart, countedApart, wrongUsers } = await readSums(database)
  expect([kept, keptApart, wrongUsers]).toEqual([counted, countedApart, []])
  const { rows } = await database.pool.query<{ amount: number }>(
    'select amount::float8 as amount from purchases where is_test order by amount',
  )
  return rows.map(({ amount }) => amount)
}

const ownBook = `insert into book_versions (number, document, published_by) values (1, '{"title": "My Own Book"}', 'me')`

test('an upgrade marks what was tried out and never paid, and every total stays', async () => {
  expect(await upgrade()).toEqual([1, 2, 3, 5, 6])
  // Of an own book that was sold without payments, only what its admins have bought.
  expect(await upgrade(ownBook)).toEqual([1, 5, 6])
  // Where test orders have ceased to count, such orders were marked at that time.
  const ceased = 'update sums_settings set counts_tests = false; select sums_rebuild()'
  expect(await upgrade(ceased)).toEqual([5, 6])
})
