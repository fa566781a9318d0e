// The figures of the admin area, as an admin gets them.
import { expect, test } from 'vitest'
import type { Sales, SalesChart } from '#contract/operations/sales.ts'
import { changePurchase } from '#test/factories.ts'
import { openTestShop } from '#test/shop.ts'

test('totals and the latest ten agree with what was bought', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const empty = (await (await admin.call('GET', '/api/admin/sales')).json()) as Sales
  expect(empty).toEqual({
    totals: { total_revenue: 0, total_users: 1, total_purchases: 0, completed_purchases: 0 },
    recent: [],
  })
  const user = await shop.person({ display_name: 'Ruth' })
  const { id } = await shop.product('digital')
  const bought = []
  for (let at = 0; at < 12; at += 1) bought.push(await user.buy(id))
  await changePurchase(shop.services.db, bought[0]!.id, { status: 'pending' })
  const { totals, recent } = (await (await admin.call('GET', '/api/admin/sales')).json()) as Sales
  expect(totals).toEqual({
    total_revenue: 164.89,
    total_users: 2,
    total_purchases: 12,
    completed_purchases: 11,
  })
  expect(recent.map((each) => each.id)).toEqual(
    bought
      .slice(2)
      .map((each) => each.id)
      .toReversed(),
  )
  expect(recent[0]).toMatchObject({
    email: user.email,
    display_name: 'Ruth',
    amount: 14.99,
    product: { format: 'digital' },
  })
})

test('the chart of the first screen has the last 30 days, and those before', async () => {
  const clock = () => new Date('2026-03-31T12:00:00Z')
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false, clock })
  const admin = await shop.person({ role: 'admin' })
  for (const day of ['2026-03-31', '2026-03-02', '2026-03-01', '2026-01-31', '2026-01-30']) {
    const { id } = await admin.buy((await shop.product('digital')).id)
    await changePurchase(shop.services.db, id, { created_at: new Date(day) })
  }
  const chart = (await (await admin.call('GET', '/api/admin/sales/chart')).json()) as SalesChart
  expect(chart.steps).toHaveLength(30)
  expect([chart.steps[0], chart.steps.at(-1)]).toEqual([
    { day: '2026-03-02', purchases: 1, completed: 1, revenue: 14.99 },
    { day: '2026-03-31', purchases: 1, completed: 1, revenue: 14.99 },
  ])
  expect(chart.total).toEqual({ purchases: 2, revenue: 29.98 })
  expect(chart.before).toMatchObject({ days: 30, revenue: 29.98 })
  expect(chart.before.steps).toHaveLength(30)
  expect([chart.before.steps[0], chart.before.steps.at(-1)]).toEqual([14.99, 14.99])
})
