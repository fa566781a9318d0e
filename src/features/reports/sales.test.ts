// The figures of the admin area, as an admin gets them.
import { expect, test } from 'vitest'
import type { Sales, SalesChart } from './contract/sales.ts'
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

test('the chart has every step, its formats, and the period before', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const days = ['2026-03-02T12:00Z', '2026-03-04T23:59Z', '2026-03-05T00:00Z', '2026-02-27T00:00Z']
  for (const [at, day] of days.entries()) {
    const { id } = await admin.buy((await shop.product(at === 1 ? 'paperback' : 'digital')).id)
    await changePurchase(shop.services.db, id, { created_at: new Date(day) })
  }
  const read = async (query: string) =>
    (await (await admin.call('GET', `/api/admin/sales/chart?${query}`)).json()) as SalesChart
  const chart = await read('from=2026-03-01&to=2026-03-05')
  expect(chart.steps.map(({ day, revenue }) => [day, revenue])).toEqual([
    ['2026-03-01', 0],
    ['2026-03-02', 14.99],
    ['2026-03-03', 0],
    ['2026-03-04', 24.99],
    ['2026-03-05', 14.99],
  ])
  expect(chart.total).toEqual({ purchases: 3, completed: 3, revenue: 54.97 })
  expect(chart.before).toEqual({
    days: 5,
    purchases: 1,
    completed: 1,
    revenue: 14.99,
    steps: [0, 0, 0, 14.99, 0],
  })
  expect(chart.by_format.map(({ format }) => format)).toEqual(['digital', 'paperback'])
  const weeks = await read('from=2026-02-25&to=2026-03-05&by=week&format=digital')
  expect(weeks.steps.map(({ day, purchases }) => [day, purchases])).toEqual([
    ['2026-02-23', 1],
    ['2026-03-02', 2],
  ])
})

test('without a range it is the last days on the shop’s own calendar, in steps that suit them', async () => {
  // Still New Year's Eve in New York.
  const clock = () => new Date('2027-01-01T03:00:00Z')
  await using shop = await openTestShop({ env: { TIME_ZONE: 'America/New_York' }, hasWorkers: false, clock })
  const admin = await shop.person({ role: 'admin' })
  const read = async (query: string) =>
    (await (await admin.call('GET', `/api/admin/sales/chart?${query}`)).json()) as SalesChart
  expect(await read('')).toMatchObject({
    from: '2026-12-02',
    to: '2026-12-31',
    by: 'day',
    time_zone: 'America/New_York',
  })
  expect(await read('range=7')).toMatchObject({ from: '2026-12-25', to: '2026-12-31' })
  expect(await read('range=year')).toMatchObject({ from: '2026-01-01', to: '2026-12-31', by: 'week' })
  expect(await read('from=2020-01-01')).toMatchObject({ to: '2026-12-31', by: 'month' })
})

test('a range that is no range is refused', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const bad = ['from=2026-03-05&to=2026-03-01', 'from=2001-01-01&to=2026-03-01', 'from=0000-01-01', 'range=8']
  for (const query of bad) {
    const response = await admin.call('GET', `/api/admin/sales/chart?${query}`)
    expect([query, response.status]).toEqual([query, 422])
  }
})
