// Pages of the site load no script before they are used, and what becomes alive then looks and holds what it did before.
import type { Page } from '@playwright/test'
import { expect, refusals, test } from './shop.ts'

test.use({ takesMoney: true, hasOwnBook: true })

const scriptsOf = (page: Page) =>
  page.evaluate(
    () => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).length,
  )

test('a form wakes at the press on it, and keeps what was typed; its problems are the shop’s own words', async ({
  page,
}) => {
  for (const [path, button] of [
    ['/find-purchase', 'Write to the author'],
    ['/withdraw', 'Continue'],
  ] as const) {
    await page.goto(path)
    const email = page.getByRole('main').getByLabel('Email', { exact: true })
    await expect(email).toBeVisible()
    expect(await scriptsOf(page), path).toBe(0)
    const heading = await page.getByRole('heading', { level: 1 }).elementHandle()
    await email.fill('ruth@example.com')
    await page.getByRole('button', { name: button }).click()
    const name = page.getByRole('main').getByLabel('Name')
    await expect(name).toBeFocused()
    await expect(name).toHaveAccessibleDescription('Please fill in this field.')
    await expect(email).toHaveValue('ruth@example.com')
    expect(await heading?.evaluate((element) => element.isConnected), path).toBe(true)
  }
})

test('the link of an email opens its own page, also while another one is open; the way to the content is no such link', async ({
  page,
  complaints,
}) => {
  await page.goto('/withdraw')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/#main$/)
  await page.reload()
  await expect(page.getByLabel('Name')).toBeVisible()
  expect(await scriptsOf(page)).toBe(0)
  await page.evaluate(() => location.assign('#a-token-that-is-not-known'))
  await expect(page.getByRole('heading', { name: 'This link does not work any more' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Withdraw from contract here' }).click()
  await expect(page.getByLabel('Name')).toBeVisible()
  await page.goto('/tell-me/01900000-0000-7000-8000-000000000001#a-token')
  await expect(page.getByRole('heading', { name: 'This link does not work any more' })).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveCount(0)
  await page.goto('/emails/a-token')
  await expect(page.getByRole('heading', { name: 'This link is not known' })).toBeVisible()
  expect(refusals(complaints)).toHaveLength(3)
})
