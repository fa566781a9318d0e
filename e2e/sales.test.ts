// The course of sales: ranges, steps, the chart by key and by pointer, the lists to take away.
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { expectAccessible, tabTo } from './accessible.ts'
import { buy, enter, enterAdmin, makeUser } from './users.ts'
import { expect, refusals, test } from './shop.ts'

// What is counted here is sold here.
test.use({ shopName: 'the shop of the sales' })
test.describe.configure({ mode: 'serial' })

test('what is sold today stands in the chart, the table and the formats', async ({ page, shop }) => {
  await enterAdmin(page, shop, '/admin/sales')
  await expect(page.getByText('Nothing was sold in these days.')).toBeVisible()
  await expectAccessible(page)

  const user = await enter(page, shop, await makeUser(shop))
  for (const format of ['digital', 'digital', 'bundle']) await buy(shop, user, format)
  await enterAdmin(page, shop, '/admin/sales')
  await expect(page.getByText('$79.95', { exact: true })).toBeVisible()
  await expect(page.getByText('3 purchases · Nothing was earned in the 30 days before')).toBeVisible()
  await expect(formatRow(page, 'Bundle')).toContainText('$49.97')
  await expect(formatRow(page, 'Digital')).toContainText('$29.98')
  await expectAccessible(page)

  await page.getByRole('button', { name: 'Show as table' }).click()
  const days = page.getByRole('table', { name: 'Sales by day' }).getByRole('row')
  await expect(days).toHaveCount(31)
  await expect(days.nth(1)).toContainText('$79.95')
  await expectAccessible(page)

  await page.getByLabel('Format', { exact: true }).selectOption('bundle')
  await expect(days.nth(1)).toContainText('$49.97')
  await page.getByLabel('Steps', { exact: true }).selectOption('month')
  await expect(page.getByRole('table', { name: 'Sales by month' })).toContainText('$49.97')
  await page.reload()
  await expect(page.getByLabel('Format', { exact: true })).toHaveValue('bundle')
  await expect(page.getByText('1 purchase ·')).toBeVisible()
})

test('with the keyboard alone one chooses a range and reads each day', async ({ page, shop }) => {
  await enterAdmin(page, shop, '/admin/sales')
  await expect(page.getByRole('slider')).toBeVisible()
  await tabTo(page, page.getByRole('button', { name: '7 days' }))
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/range=7/)
  const chart = page.getByRole('slider', { name: /^Revenue by day/ })
  await expect(chart).toHaveAttribute('aria-valuemax', '6')
  await tabTo(page, chart)
  await page.keyboard.press('ArrowLeft')
  await expect(chart).toHaveAttribute('aria-valuetext', /: \$79\.95, 3 purchases$/)
  await page.keyboard.press('Home')
  await expect(chart).toHaveAttribute('aria-valuetext', /: \$0\.00, 0 purchases$/)
  await page.keyboard.press('End')
  await expect(page.getByText('$79.95', { exact: true })).toBeVisible()
})

test('a finger on a phone reads a day, and a range of one’s own is kept in order', async ({ page, shop }) => {
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
  await expect(page.getByText('0 purchases · Nothing was earned in the day before')).toBeVisible()
  await page.getByRole('button', { name: '90 days' }).click()
  await expect(page).not.toHaveURL(/from=/)
  await expect(page.getByLabel('From', { exact: true })).not.toHaveValue('2026-01-03')
})

test('lists are saved by the browser, whole', async ({ page, shop }) => {
  await enterAdmin(page, shop, '/admin/sales')
  for (const [name, lines] of [
    ['Purchases of these days (CSV)', 3],
    ['All purchases (CSV)', 3],
    ['All users (CSV)', 2],
  ] as const) {
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name }).click()
    const file = await saved
    expect(file.suggestedFilename()).toMatch(/^(some )?(purchases|users) \d{4}-\d\d-\d\d\.csv$/)
    const text = await readFile(await file.path(), 'utf8')
    expect(text.trimEnd().split('\r\n')).toHaveLength(lines + 1)
  }
})

test('an impossible range is reported, and can be cleared', async ({ page, shop, complaints }) => {
  await enterAdmin(page, shop, '/admin/sales?from=2001-01-01')
  await expect(page.getByText('This address asks for something that the shop does not know')).toBeVisible()
  await page.getByRole('link', { name: 'Show everything' }).click()
  await expect(page.getByRole('slider')).toBeVisible()
  expect(refusals(complaints).length).toBeGreaterThan(0)
})

function formatRow(page: Page, format: string) {
  return page.getByRole('table', { name: 'Sales by format' }).getByRole('row').filter({ hasText: format })
}
