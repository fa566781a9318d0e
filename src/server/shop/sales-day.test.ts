// The sums of sales follow every change of a purchase, also of many at the same moment.
import { expect, test } from 'vitest'
import { readSalesSums } from '#test/sales-sums.ts'
import { openTestShop } from '#test/shop.ts'

test('the sums equal the rows after buying, refunding, moving and deleting', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const { pool } = shop.services.database
  const reader = await shop.person()
  const formats = ['digital', 'paperback', 'bundle'] as const
  const ids = await Promise.all(formats.map(async (format) => (await shop.product(format)).id))
  await Promise.all(Array.from({ length: 60 }, (_, at) => reader.buy(ids[at % 3]!)))
  const bought = await readSalesSums({ pool })
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
  const changed = await readSalesSums({ pool })
  expect(changed.kept).toEqual(changed.counted)

  await pool.query('delete from purchases')
  expect(await readSalesSums({ pool })).toEqual({ kept: [], counted: [] })
  expect((await pool.query('select sum(revenue) as revenue from sales_day')).rows).toEqual([{ revenue: 0 }])
})
