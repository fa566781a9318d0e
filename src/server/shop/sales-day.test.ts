// The sums of sales follow every change of a purchase, also of many at the same moment.
import { expect, test } from 'vitest'
import { openTestShop, type TestShop } from '#test/shop.ts'

async function sumsOf({ services }: TestShop) {
  const { pool } = services.database
  const kept = await pool.query(`
    select day::text, format, sum(purchases) as purchases, sum(completed) as completed, sum(revenue) as revenue
    from sales_day group by day, format having sum(purchases) <> 0 order by day, format`)
  const counted = await pool.query(`
    select (p.created_at at time zone 'UTC')::date::text as day, format, count(*) as purchases,
      count(*) filter (where status = 'completed') as completed,
      coalesce(sum(amount) filter (where status = 'completed'), 0) as revenue
    from purchases p join products on products.id = p.product_id group by 1, 2 order by 1, 2`)
  return { kept: kept.rows, counted: counted.rows }
}

test('the sums equal the rows after buying, refunding, moving and deleting', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const { pool } = shop.services.database
  const reader = await shop.person()
  const formats = ['digital', 'paperback', 'bundle'] as const
  const ids = await Promise.all(formats.map(async (format) => (await shop.product(format)).id))
  await Promise.all(Array.from({ length: 60 }, (_, at) => reader.buy(ids[at % 3]!)))
  const bought = await sumsOf(shop)
  expect(bought.kept).toEqual(bought.counted)
  expect(bought.kept).toMatchObject([
    { format: 'bundle', purchases: 20, completed: 20, revenue: 999.4 },
    { format: 'digital', purchases: 20, completed: 20, revenue: 299.8 },
    { format: 'paperback', purchases: 20, completed: 20, revenue: 499.8 },
  ])

  const some = (from: number, count: number) =>
    `(select id from purchases order by id offset ${from} limit ${count})`
  const changes = [
    `update purchases set status = 'refunded' where id in ${some(0, 10)}`,
    `update purchases set amount = amount / 3 where id in ${some(5, 10)}`,
    `update purchases set created_at = created_at - interval '40 days' where id in ${some(12, 9)}`,
    `update purchases set product_id = '${ids[0]}' where id in ${some(30, 6)}`,
    `delete from purchases where id in ${some(40, 7)}`,
    `update purchases set status = 'completed' where id in ${some(3, 4)}`,
  ]
  await Promise.all(changes.map((change) => pool.query(change)))
  const changed = await sumsOf(shop)
  expect(changed.kept).toEqual(changed.counted)

  await pool.query('delete from purchases')
  expect(await sumsOf(shop)).toEqual({ kept: [], counted: [] })
  expect((await pool.query('select sum(revenue) as revenue from sales_day')).rows).toEqual([{ revenue: 0 }])
})
