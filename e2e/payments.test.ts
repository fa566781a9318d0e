// Money that comes: paid, canceled, resumed, and reported by the webhook alone.
import type { Page } from '@playwright/test'
import { addCode, beginCheckout, payHere, sessionOf, userAtCheckout } from './paying.ts'
import { expect, test } from './shop.ts'
import { enter, makeUser } from './users.ts'

test.use({ shopName: 'the shop that takes money', takesMoney: true })
test.describe.configure({ mode: 'serial' })

const title = "Nine P's that Change Everything"
const row = (page: Page) => page.getByRole('listitem').filter({ hasText: title })

test('a user pays, comes back, and has the book and the receipt', async ({ page, shop, stripe }) => {
  const email = await userAtCheckout(page, shop)
  await expect(page.getByLabel('Email')).toHaveValue(email)
  await expect(page.getByLabel('Street')).toHaveCount(0)
  await payHere(page)
  await page.waitForURL('**/dashboard*')
  await expect(page.getByText('Purchase Successful!')).toBeVisible()
  await expect(page).toHaveURL(`${shop.url}/dashboard`)
  await expect(row(page)).toContainText('$14.99')
  await expect(row(page)).toContainText('completed')
  await expect(
    row(page)
      .getByRole('button', { name: /^Download/ })
      .first(),
  ).toBeVisible()
  await expect(page.getByRole('region', { name: /^Thank you for buying/ })).toBeVisible()
  expect((await shop.mailbox.to(email, /receipt/i)).text).toContain('$14.99')
  expect(sessionOf(stripe, email)).toMatchObject({ status: 'complete', payment_status: 'paid' })
})

test('a promotion code is taken off; what was paid is what is shown', async ({ page, shop }) => {
  const email = await userAtCheckout(page, shop)
  await page.getByLabel('Promotion code').fill('nonsense')
  await payHere(page)
  await expect(page.getByText('This code is invalid.')).toBeVisible()
  await page.getByLabel('Promotion code').fill('BOOK20')
  await payHere(page)
  await page.waitForURL('**/dashboard*')
  await expect(row(page)).toContainText('$11.99')
  await expect(row(page)).toContainText('completed')
  expect((await shop.mailbox.to(email, /receipt/i)).text).toContain('$11.99')
})

test('a user who cancels has bought nothing; the next click leads to the same checkout, and it is bought once', async ({
  page,
  shop,
  stripe,
}) => {
  const email = await userAtCheckout(page, shop)
  const checkout = page.url()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.waitForURL(`${shop.url}/**`)
  await expect(page.getByText('Nothing was charged. You can go on')).toBeVisible()
  await expect(page).toHaveURL(`${shop.url}/#book-sales`)
  await page.goto('/dashboard')
  await expect(page.getByText('pending')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Download/ })).toHaveCount(0)

  await beginCheckout(page)
  expect(page.url()).toBe(checkout)
  const elsewhere = await page.context().newPage()
  await beginCheckout(elsewhere)
  expect(elsewhere.url()).toBe(checkout)
  await payHere(page)
  await page.waitForURL('**/dashboard*')
  await expect(row(page)).toContainText('completed')
  await payHere(elsewhere)
  await elsewhere.getByRole('link', { name: 'Back to the shop' }).click()
  await expect(row(elsewhere)).toHaveCount(1)
  expect([...stripe.sessions.values()].filter((each) => each.customer_email === email)).toHaveLength(1)
})

test('a page that the browser shows again as it was left frees the button at once', async ({
  page,
  shop,
}) => {
  await enter(page, shop, await makeUser(shop))
  // Playwright cannot follow a page out of the cache of the browser: here it is left by no response, and told the same.
  await page.route('**/pay/cs_test_*', (route) => route.fulfill({ status: 204 }))
  await page.goto('/')
  const cards = page.locator('#book-sales')
  await cards.getByRole('button', { name: /digital/i }).click()
  const left = page.waitForRequest('**/pay/cs_test_*')
  await expect(cards.getByRole('button', { name: 'Processing...' })).toBeVisible()
  await left
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await expect(cards.getByRole('button', { name: 'Processing...' })).toHaveCount(0, { timeout: 3000 })
})

test('the dashboard leads back to the open checkout with its discount, but never into a second one for what was paid meanwhile', async ({
  page,
  shop,
  stripe,
}) => {
  await addCode(shop, 'TENTH')
  const email = await userAtCheckout(page, shop, 'TENTH')
  const checkout = page.url()
  const dashboard = await page.context().newPage()
  await dashboard.goto(`${shop.url}/dashboard`)
  const again = dashboard.getByRole('button', { name: `Continue payment of ${title}` })
  await again.click()
  await dashboard.waitForURL('**/pay/cs_test_*')
  expect(dashboard.url()).toBe(checkout)

  await dashboard.goto(`${shop.url}/dashboard`)
  await expect(again).toBeVisible()
  await payHere(page)
  await page.waitForURL('**/dashboard*')
  await again.click()
  await expect(dashboard.getByText('Purchase Successful!')).toBeVisible()
  await expect(again).toHaveCount(0)
  expect([...stripe.sessions.values()].filter((each) => each.customer_email === email)).toHaveLength(1)
})

test('a tab that is lost after paying is no lost purchase: the webhook reports it', async ({
  page,
  shop,
}) => {
  const email = await userAtCheckout(page, shop)
  await payHere(page, { isLost: true })
  await expect(page.getByRole('heading', { name: 'Paid' })).toBeVisible()
  await page.close()
  await shop.mailbox.to(email, /receipt/i)
  const later = await page.context().newPage()
  await later.goto('/dashboard')
  await expect(row(later)).toContainText('completed')
})
