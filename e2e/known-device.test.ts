// A browser that has signed in before still gets in while strangers guess passwords.
import type { Page } from '@playwright/test'
import { deviceIdKey } from '#web/device-id.ts'
import { admin, expect, refusals, test, watch } from './shop.ts'

test.use({ shopName: 'a shop with limits', settings: { RATE_LIMIT: 'on' } })

async function signIn(page: Page, given: string) {
  await page.goto('/auth')
  const form = page.getByRole('tabpanel', { name: 'Sign In' })
  await form.getByLabel('Email').fill(admin.email)
  await form.getByLabel('Password', { exact: true }).fill(given)
  await form.getByRole('button', { name: 'Sign In' }).click()
}

test('the author’s own browser signs in while others are told to wait', async ({
  page,
  chrome,
  shop,
  complaints,
}) => {
  await signIn(page, admin.password)
  await expect(page.getByText('Welcome back!')).toBeVisible()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByText('Signed Out')).toBeVisible()
  const id = await page.evaluate((key) => localStorage.getItem(key), deviceIdKey)
  expect(id).toMatch(/^[0-9a-f]{32}$/)

  const context = await chrome.newContext({ baseURL: shop.url })
  const stranger = await context.newPage()
  watch(stranger, complaints)
  await stranger.goto('/auth')
  const refused = await stranger.evaluate(async (email) => {
    const guess = (n: number) =>
      fetch('/auth/v1/token?grant_type=password', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: `guess ${n}` }),
      })
    const responses = await Promise.all(Array.from({ length: 12 }, (_guess, n) => guess(n)))
    return responses.filter(({ status }) => status === 429).length
  }, admin.email)
  expect(refused).toBe(2)
  await signIn(stranger, admin.password)
  await expect(
    stranger.getByText('Too many attempts. Please wait a little and try again.').first(),
  ).toBeVisible()
  await context.close()

  await signIn(page, 'mistyped')
  await expect(page.getByText('Invalid login credentials').first()).toBeVisible()
  await signIn(page, admin.password)
  await expect(page.getByText('Welcome back!')).toBeVisible()
  expect(await page.evaluate((key) => localStorage.getItem(key), deviceIdKey)).toBe(id)
  refusals(complaints)
})
