// The course of sales: ranges, steps, the chart by key and by pointer, the lists to take away.
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { openDatabase } from '#platform/db/client.ts'
import { part } from './part.ts'
import { tabTo } from './accessible.ts'
import { expect, refusals, type Shop, test } from './shop.ts'
import { buy, enter, enterAdmin, makeUser } from './users.ts'

// What is counted here is sold here.
test.use({ shopName: 'the shop of the sales' })
test.describe.configure({ mode: 'serial' })

test('what is sold today stands in the figures, the chart and every table, and each table is saved as it is seen', async ({
  page,
  shop,
}) => {
  await enterAdmin(page, shop, '/admin/sales')
  await expect(page.getByText('Nothing was sold in these days.')).toBeVisible()
  await expect(page.getByText('No code was used in these days.')).toBeVisible()

  const user = await enter(page, shop, await makeUser(shop))
  for (const format of ['digital', 'digital', 'bundle']) await buy(shop, user, format)
  await changePurchases(shop)
  await enterAdmin(page, shop, '/admin/purchases')
  await expect(page.getByRole('main').getByText('test', { exact: true })).toHaveCount(1)
  await page.goto('/admin/sales')
  const words = '3 sold · 1 free copy given · 1 test order · Nothing was earned in the 30 days before'
  await expect(page.getByText(words)).toBeVisible()
  await expect(figure(page, 'Revenue')).toContainText('$77.95')
  await expect(figure(page, 'Sold')).toContainText('3')
  await expect(figure(page, 'Average order')).toContainText('$26.65')
  await expect(figure(page, 'Refund rate')).toContainText('2.5%$2.00 of $79.95')
  await expect(figure(page, 'Checkouts paid')).toContainText('75%3 of 4 begun')
  await expect(
    page.getByText('Counted apart, and not in these figures: 1 free copy given and 1 test order.'),
  ).toBeVisible()
  await expect(rowOf(page, 'format', 'Bundle')).toContainText('$47.97')
  await expect(rowOf(page, 'format', 'Digital')).toContainText('$29.98')
  await expect(rowOf(page, 'country', 'Germany')).toContainText('$47.97')
  await expect(rowOf(page, 'country', 'Unknown')).toContainText('$29.98')
  await expect(rowOf(page, 'discount code', 'SPRING')).toContainText('$47.97')

  const days = page.getByRole('table', { name: 'Sales by day' }).getByRole('row')
  await expect(days).toHaveCount(13)
  await page.getByRole('button', { name: 'Show all 30' }).click()
  await expect(days).toHaveCount(31)
  await expect(days.nth(1)).toContainText('$77.95')

  await page.getByLabel('Format', { exact: true }).selectOption('bundle')
  await expect(days.nth(1)).toContainText('$47.97')
  await page.getByLabel('Step', { exact: true }).selectOption('month')
  await expect(page.getByRole('table', { name: 'Sales by month' })).toContainText('$47.97')
  await page.reload()
  await expect(page.getByLabel('Format', { exact: true })).toHaveValue('bundle')
  await expect(page.getByText('1 sold ·')).toBeVisible()

  await page.goto('/admin/sales?range=7&format=bundle')
  const today = /^\d{4}-\d\d-\d\d,1,1,1,0,2\.00,47\.97,0\.00,USD$/
  for (const [by, line, lines] of [
    ['day', today, 7],
    ['format', /^bundle,1,0,2\.00,47\.97,USD$/, 1],
    ['country', /^DE,1,0,47\.97,USD$/, 1],
    ['discount code', /^SPRING,1,0,47\.97,USD$/, 1],
  ] as const) {
    const text = await saveBy(page, `Download sales by ${by} (CSV)`)
    const [, ...rows] = text.trimEnd().split('\r\n')
    expect(rows).toHaveLength(lines)
    expect(rows[0]).toMatch(line)
  }

  await page.goto('/admin/sales')
  for (const [name, file, lines] of [
    ['Orders of these days (CSV)', /^purchases [\d-]{10} to [\d-]{10}\.csv$/, 6],
    ['All orders (CSV)', /^all purchases [\d-]{10}\.csv$/, 6],
    ['All readers (CSV)', /^all users [\d-]{10}\.csv$/, 2],
  ] as const) {
    const text = await saveBy(page, name, file)
    expect(text.trimEnd().split('\r\n')).toHaveLength(lines + 1)
  }
})

test('a range of days is chosen by keyboard and by finger; what cannot be had is said', async ({
  page,
  shop,
  complaints,
}) => {
  await part(page, 'with the keyboard alone one chooses a range and reads each day', async () => {
    await enterAdmin(page, shop, '/admin/sales')
    await expect(page.getByRole('slider')).toBeVisible()
    await tabTo(page, page.getByLabel('Period', { exact: true }))
    await page.keyboard.press('ArrowUp')
    await expect(page).toHaveURL(/range=7/)
    const chart = page.getByRole('slider', { name: /^Revenue by day/ })
    await expect(chart).toHaveAttribute('aria-valuemax', '6')
    await tabTo(page, chart)
    await page.keyboard.press('ArrowLeft')
    await expect(chart).toHaveAttribute('aria-valuetext', /: \$77\.95, 3 sold · 1 free copy given/)
    await page.keyboard.press('Home')
    await expect(chart).toHaveAttribute('aria-valuetext', /: \$0\.00, 0 sold$/)
    await page.keyboard.press('End')
    await expect(page.getByText('$77.95', { exact: true }).first()).toBeVisible()
  })

  await part(
    page,
    'a finger on a phone reads a day, and a range of one’s own is kept in order; the chart of the first screen has its table',
    async () => {
      await page.setViewportSize({ width: 390, height: 850 })
      await enterAdmin(page, shop, '/admin/sales?range=7')
      const chart = page.getByRole('slider')
      const { width, height } = (await chart.boundingBox())!
      await chart.hover({ position: { x: width - 5, y: height / 2 } })
      await expect(chart).toHaveAttribute('aria-valuenow', '6')
      await chart.hover({ position: { x: 5, y: height / 2 } })
      await expect(chart).toHaveAttribute('aria-valuenow', '0')
      await page.mouse.move(0, 0)

      await page.getByLabel('From', { exact: true }).fill('2026-01-05')
      await expect(page).toHaveURL(/from=2026-01-05/)
      await page.getByLabel('To', { exact: true }).fill('2026-01-03')
      await expect(page).toHaveURL(/from=2026-01-03&to=2026-01-03/)
      await expect(page.getByText('0 sold · Nothing was earned in the day before')).toBeVisible()
      await expect(page.getByLabel('Period', { exact: true })).toHaveValue('days')
      await page.getByLabel('Period', { exact: true }).selectOption('Last 90 days')
      await expect(page).not.toHaveURL(/from=/)
      await expect(page.getByLabel('From', { exact: true })).not.toHaveValue('2026-01-03')
      await page.setViewportSize({ width: 1360, height: 850 })
      await page.goto('/admin')
      await page.getByRole('button', { name: 'Show as table' }).click()
      await expect(page.getByRole('table', { name: /^Sales by day/ })).toBeVisible()
      await expect(page.getByRole('button', { name: 'Show as table' })).toHaveCount(0)
      await page.getByRole('button', { name: 'Show as chart' }).click()
      await expect(page.getByRole('table', { name: /^Sales by day/ })).toHaveCount(0)
    },
  )

  await part(page, 'the report of the last month is a choice, and its purchases one press more', async () => {
    await enterAdmin(page, shop, '/admin/sales')
    await page.getByLabel('Period', { exact: true }).selectOption('Last month')
    const month = new Date()
    month.setUTCDate(0)
    const to = month.toISOString().slice(0, 10)
    await expect(page.getByLabel('To', { exact: true })).toHaveValue(to)
    await expect(page.getByText('Nothing was earned in the month before')).toBeVisible()
    await saveBy(
      page,
      'Orders of these days (CSV)',
      new RegExp(`^purchases ${to.slice(0, 7)}-01 to ${to}\\.csv$`),
    )
    await page.getByLabel('Compare with', { exact: true }).selectOption('The year before')
    await expect(page.getByText('Nothing was earned in the same days a year before')).toBeVisible()
  })

  await part(
    page,
    'an impossible range is reported, and can be cleared; figures that cannot be had come at the next try',
    async () => {
      await enterAdmin(page, shop, '/admin/sales?from=2001-01-01')
      await expect(
        page.getByText('This address asks for something that the shop does not know'),
      ).toBeVisible()
      await page.getByRole('link', { name: 'Show everything' }).click()
      await expect(page.getByRole('slider')).toBeVisible()
      await page.route('**/api/admin/sales/report**', (route) => route.abort())
      await page.goto('/admin/sales')
      await expect(page.getByRole('heading', { name: 'The figures could not be loaded' })).toBeVisible()
      await page.unroute('**/api/admin/sales/report**')
      await page.getByRole('button', { name: 'Try again' }).click()
      await expect(page.getByRole('slider')).toBeVisible()
      expect(refusals(complaints).length).toBeGreaterThan(0)
    },
  )
})

function figure(page: Page, name: string) {
  const term = page.locator('dt').filter({ hasText: new RegExp(`^${name}$`) })
  return page.locator('dl > div').filter({ has: term })
}

function rowOf(page: Page, by: string, name: string) {
  return page
    .getByRole('table', { name: `Sales by ${by}` })
    .getByRole('row')
    .filter({ hasText: name })
}

async function saveBy(page: Page, name: string, fileName = /^sales by .*\.csv$/): Promise<string> {
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name, exact: true }).click()
  const file = await saved
  expect(file.suggestedFilename()).toMatch(fileName)
  return readFile(await file.path(), 'utf8')
}

/** As if they had been bought for money. The bundle: to Germany, with a code, partly refunded. Beside the three: one unpaid, one free, one test order. */
async function changePurchases({ databaseUrl }: Shop): Promise<void> {
  await using database = openDatabase(databaseUrl, { max: 1 })
  await database.pool.query(`
    update purchases set is_test = false;
    update sums_settings set counts_tests = false;
    update purchases set country = 'DE' where product_id = (select id from products where format = 'bundle');
    with code as (insert into discount_codes (id, code, percent) values (gen_random_uuid(), 'SPRING', 10) returning id),
      used as (update purchases set code_id = code.id from code where country = 'DE')
      insert into discount_uses (purchase_id, code_id, discount)
      select p.id, code.id, 1 from code, purchases p where country = 'DE';
    insert into adjustments (id, purchase_id, kind, amount)
      select gen_random_uuid(), id, 'refund', -2 from purchases where country = 'DE';
    insert into purchases (id, user_id, product_id, amount, status, is_test)
      select gen_random_uuid(), p.user_id, p.product_id, made.amount, made.status, made.is_test
      from (select * from purchases where country is null limit 1) p, (
        values (14.99, 'pending', false), (0, 'completed', false), (14.99, 'completed', true)
      ) made (amount, status, is_test)`)
}
