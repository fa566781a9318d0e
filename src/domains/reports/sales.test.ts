// The figures of the admin area, as an admin gets them.
import { expect, test } from 'vitest'
import type { Sales, SalesChart, SalesReport } from '#contract/reports/sales.ts'
import { changePurchase, giveRefund } from '#test/factories.ts'
import { openTestShop } from '#test/shop.ts'
import { randomUUID } from 'node:crypto'
import { startStripe } from '@lectern/stripe-stand-in'
import { discount_codes } from '#tables/orders.ts'
import { buy, buyAndPay, openPaidShop, sessionOf, settle, startLiveStripe } from '#test/paying.ts'
import type { Person } from '#test/users.ts'
import { stopCountingTests } from '#domains/settings/sums-settings.ts'

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
    { day: '2026-03-02', sold: 1, free: 0, tests: 0, revenue: 14.99 },
    { day: '2026-03-31', sold: 1, free: 0, tests: 0, revenue: 14.99 },
  ])
  const total = { sold: 2, free: 0, tests: 0, revenue: 29.98 }
  expect(chart.total).toEqual(total)
  expect((await reader(admin)('range=30')).total).toMatchObject(total)
  expect(chart.before).toMatchObject({ days: 30, revenue: 29.98 })
  expect(chart.before.steps).toHaveLength(30)
  expect([chart.before.steps[0], chart.before.steps.at(-1)]).toEqual([14.99, 14.99])
})

// The report of a range of days, as an admin gets it.

const reader = (admin: Person) => async (query: string) =>
  (await (await admin.call('GET', `/api/admin/sales/report?${query}`)).json()) as SalesReport

test('the report has every step, its formats, and the period before', async () => {
  await using shop = await openTestShop({ env: { RATE_LIMIT: 'off' }, hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const days = ['2026-03-02T12:00Z', '2026-03-04T23:59Z', '2026-03-05T00:00Z', '2026-02-27T00:00Z']
  for (const [at, day] of days.entries()) {
    const { id } = await admin.buy((await shop.product(at === 1 ? 'paperback' : 'digital')).id)
    await changePurchase(shop.services.db, id, { created_at: new Date(day) })
  }
  const read = reader(admin)
  const report = await read('from=2026-03-01&to=2026-03-05')
  expect(report.steps.map(({ day, revenue, before }) => [day, revenue, before])).toEqual([
    ['2026-03-01', 0, 0],
    ['2026-03-02', 14.99, 0],
    ['2026-03-03', 0, 0],
    ['2026-03-04', 24.99, 14.99],
    ['2026-03-05', 14.99, 0],
  ])
  expect(report.total).toMatchObject({
    sold: 3,
    begun: 3,
    paid: 3,
    gross: 54.97,
    refunded: 0,
    revenue: 54.97,
  })
  expect(report.before).toMatchObject({
    days: 5,
    from: '2026-02-24',
    to: '2026-02-28',
    sold: 1,
    revenue: 14.99,
  })
  expect(report.by_format.map(({ format, sold }) => [format, sold])).toEqual([
    ['digital', 2],
    ['paperback', 1],
  ])
  const weeks = await read('from=2026-02-25&to=2026-03-05&by=week&format=digital')
  expect(weeks.steps.map(({ day, sold }) => [day, sold])).toEqual([
    ['2026-02-23', 1],
    ['2026-03-02', 2],
  ])
})

test('refunds count on their day, free copies and test orders apart', async () => {
  await using stripe = await startStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { db } = shop.services
  const [admin, buyer] = [await shop.person({ role: 'admin' }), await shop.person()]
  const test = await buyAndPay(shop, stripe, buyer)
  const free = await buyAndPay(shop, stripe, buyer)
  const sold = await buyAndPay(shop, stripe, buyer)
  const { id: open } = await buy(shop, buyer)
  await db.transaction((tx) => stopCountingTests(tx))
  const created_at = new Date('2026-05-04T12:00Z')
  // As if they had been bought for money.
  await changePurchase(db, sold, { is_test: false, created_at })
  await changePurchase(db, open, { is_test: false, created_at })
  await changePurchase(db, free, { is_test: false, amount: 0n, created_at })
  await changePurchase(db, test, { created_at })
  await giveRefund(db, sold, 5)
  await shop.services.database.pool.query('select sums_rebuild()')
  const read = reader(admin)
  const may = await read('from=2026-05-04&to=2026-05-04')
  const counted = { sold: 1, free: 1, tests: 1, begun: 2, paid: 1, gross: 14.99, refunded: 0, revenue: 14.99 }
  expect(may.total).toEqual({ ...counted, link_tax: 0 })
  const today = await read('range=7')
  expect(today.total).toMatchObject({ sold: 0, refunded: 5, revenue: -5 })
  expect(await read('from=2026-05-04&to=2026-05-04&format=bundle')).toMatchObject({
    total: { sold: 0, tests: 0 },
  })
})

test('countries and discount codes have their part of the revenue', async () => {
  await using stripe = await startLiveStripe()
  await using shop = await openPaidShop(stripe, { hasWorkers: false })
  const { db } = shop.services
  const [admin, buyer] = [await shop.person({ role: 'admin' }), await shop.person()]
  await db.insert(discount_codes).values({ id: randomUUID(), code: 'SPRING', percent: 50 })
  const pay = async (code?: string, billing_country?: string) => {
    const { id: product_id } = await shop.product('digital')
    const made = await buyer.call('POST', '/api/purchases', { body: { product_id, ...(code && { code }) } })
    const { id } = (await made.json()) as { id: string }
    stripe.pay(sessionOf(stripe, id).id, { ...(billing_country && { billing_country }) })
    await settle(buyer, id)
    return id
  }
  const first = await pay('SPRING', 'DE')
  await pay(undefined, 'DE')
  await pay('SPRING', 'US')
  await pay()
  await giveRefund(db, first, 1)
  const read = reader(admin)
  const { by_country, by_code, total } = await read('range=7')
  expect(by_country).toEqual([
    { country: 'DE', sold: 2, free: 0, revenue: 21.48 },
    { country: 'US', sold: 1, free: 0, revenue: 7.49 },
    { country: null, sold: 1, free: 0, revenue: 14.99 },
  ])
  expect(by_code).toEqual([{ code: 'SPRING', sold: 2, free: 0, revenue: 13.98 }])
  expect(total).toMatchObject({ sold: 4, revenue: 43.96, refunded: 1 })
  expect(await read('range=7&format=paperback')).toMatchObject({ by_country: [], by_code: [] })
})

test('without a range it is the last days on the shop’s own calendar, in steps that suit them', async () => {
  // Still New Year's Eve in New York.
  const clock = () => new Date('2027-01-01T03:00:00Z')
  await using shop = await openTestShop({ env: { TIME_ZONE: 'America/New_York' }, hasWorkers: false, clock })
  const read = reader(await shop.person({ role: 'admin' }))
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

test.each([
  // 30 November in Auckland.
  [
    '2026-11-29T12:00Z',
    '2026-11-01 2026-11-30',
    '2026-10-01 2026-10-31',
    '2026-10-01 2026-10-31',
    '2026-09-01 2026-09-30',
  ],
  // Already December there.
  [
    '2026-11-30T12:00Z',
    '2026-12-01 2026-12-01',
    '2026-11-01 2026-11-01',
    '2026-11-01 2026-11-30',
    '2026-10-01 2026-10-31',
  ],
  [
    '2027-03-29T12:00Z',
    '2027-03-01 2027-03-30',
    '2027-02-01 2027-02-28',
    '2027-02-01 2027-02-28',
    '2027-01-01 2027-01-31',
  ],
  [
    '2028-03-28T12:00Z',
    '2028-03-01 2028-03-29',
    '2028-02-01 2028-02-29',
    '2028-02-01 2028-02-29',
    '2028-01-01 2028-01-31',
  ],
  [
    '2027-01-30T12:00Z',
    '2027-01-01 2027-01-31',
    '2026-12-01 2026-12-31',
    '2026-12-01 2026-12-31',
    '2026-11-01 2026-11-30',
  ],
])(
  'at %s this and the last month are those of the shop, beside the months before',
  async (now, ...expected) => {
    const clock = () => new Date(now)
    await using shop = await openTestShop({
      env: { TIME_ZONE: 'Pacific/Auckland' },
      hasWorkers: false,
      clock,
    })
    const read = reader(await shop.person({ role: 'admin' }))
    const months = [await read('range=month'), await read('range=last_month')]
    const ranges = months.flatMap((report) => [report, report.before])
    expect(ranges.map(({ from, to }) => `${from} ${to}`)).toEqual(expected)
  },
)

test('a report stands beside the same days a year before, in the file as on the screen', async () => {
  const clock = () => new Date('2028-03-01T12:00Z')
  await using shop = await openTestShop({ hasWorkers: false, clock })
  const admin = await shop.person({ role: 'admin' })
  const { id } = await admin.buy((await shop.product('digital')).id)
  await changePurchase(shop.services.db, id, { created_at: new Date('2027-02-28') })
  const { steps, before, today } = await reader(admin)('range=last_month&compare=year')
  expect(today).toBe('2028-03-01')
  expect(before).toMatchObject({ compare: 'year', from: '2027-02-01', to: '2027-02-28', revenue: 14.99 })
  expect(steps.slice(-2).map((step) => step.before)).toEqual([14.99, null])
})

test.each([
  ['from=2024-02-29&to=2024-02-29&compare=year', '2023-02-28 2023-02-28'],
  ['from=2026-03-30&to=2026-03-31&compare=month', '2026-02-28 2026-02-28'],
  ['from=2026-02-01&to=2026-02-28&compare=month', '2026-01-01 2026-01-31'],
])('%s is compared with %s', async (query, expected) => {
  await using shop = await openTestShop({ hasWorkers: false })
  const { before } = await reader(await shop.person({ role: 'admin' }))(query)
  expect(`${before.from} ${before.to}`).toBe(expected)
})

test('a range that is no range is refused', async () => {
  await using shop = await openTestShop({ hasWorkers: false })
  const admin = await shop.person({ role: 'admin' })
  const bad = ['from=2026-03-05&to=2026-03-01', 'from=2001-01-01&to=2026-03-01', 'from=0000-01-01', 'range=8']
  for (const query of bad) {
    const response = await admin.call('GET', `/api/admin/sales/report?${query}`)
    expect([query, response.status]).toEqual([query, 422])
  }
})
