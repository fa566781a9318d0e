// Money that comes: paid, canceled, resumed, run out, and where Stripe is away.
import type { Page } from '@playwright/test'
import { part } from './part.ts'
import { addCode, beginCheckout, payHere, sessionOf, userAtCheckout } from './paying.ts'
import { expect, refusals, test } from './shop.ts'
import { enter, enterAdmin, makeUser } from './users.ts'

const title = "Nine P's that Change Everything"

const row = (page: Page) => page.getByRole('listitem').filter({ hasText: title })

test.use({ takesMoney: true })

test('a checkout is paid, canceled, resumed, and never paid twice @commit', async ({
  page,
  shop,
  stripe,
}) => {
  await part(
    page,
    'a user pays what a promotion code leaves, comes back before the webhook, and has the book and one receipt',
    async () => {
      const email = await userAtCheckout(page, shop)
      const { heard } = stripe.webhooks.figures
      await expect(page.getByLabel('Email')).toHaveValue(email)
      await expect(page.getByLabel('Street')).toHaveCount(0)
      await page.getByLabel('Promotion code').fill('nonsense')
      await payHere(page)
      await expect(page.getByText('This code is invalid.')).toBeVisible()
      await page.getByLabel('Promotion code').fill('BOOK20')
      await payHere(page, { webhook: 'after the redirect' })
      await page.waitForURL('**/dashboard*')
      await expect(page.getByText('Purchase Successful!')).toBeVisible()
      await expect(page).toHaveURL(`${shop.url}/dashboard`)
      await expect(row(page)).toContainText('$11.99')
      await expect(row(page)).toContainText('completed')
      await expect(
        row(page)
          .getByRole('button', { name: /^Download/ })
          .first(),
      ).toBeVisible()
      await expect(page.getByRole('region', { name: /^Thank you for buying/ })).toBeVisible()
      await expect.poll(() => stripe.webhooks.figures.heard).toBe(heard + 1)
      await page.reload()
      await expect(page.getByRole('listitem').filter({ hasText: title })).toHaveCount(1)
      expect((await shop.mailbox.to(email, /receipt/i)).text).toContain('$11.99')
      const receipts = (await shop.mailbox.all()).filter((mail) => mail.to?.[0]?.address === email)
      expect(receipts).toHaveLength(1)
      expect(sessionOf(stripe, email)).toMatchObject({ status: 'complete', payment_status: 'paid' })
    },
  )

  await part(
    page,
    'a user who cancels has bought nothing; the next click leads to the same checkout, and it is bought once',
    async () => {
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
    },
  )

  await part(
    page,
    'a page that the browser shows again as it was left frees the button at once',
    async () => {
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
    },
  )

  await part(
    page,
    'the dashboard leads back to the open checkout with its discount, but never into a second one for what was paid meanwhile',
    async () => {
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
    },
  )

  await part(page, 'a checkout that ran out is no purchase, and the next click begins another', async () => {
    const email = await userAtCheckout(page, shop)
    const checkout = page.url()
    await page.getByRole('button', { name: 'Let it expire' }).click()
    await expect(page.getByRole('heading', { name: 'This checkout has expired' })).toBeVisible()
    await page.getByRole('link', { name: 'Back to the shop' }).click()
    await page.waitForURL(`${shop.url}/**`)
    await beginCheckout(page)
    expect(page.url()).not.toBe(checkout)
    await payHere(page)
    await page.waitForURL('**/dashboard*')
    await expect(page.getByRole('listitem')).toHaveCount(1)
    await expect(page.getByRole('listitem')).toContainText('completed')
    expect(sessionOf(stripe, email).status).toBe('complete')
  })
})

test('with Stripe away, or a key that it does not accept, the buyer is told so and the author why; the next click goes on', async ({
  page,
  shop,
  stripe,
  complaints,
}) => {
  await enter(page, shop, await makeUser(shop))
  stripe.faults.tooMany = 1
  await page.goto('/')
  await page
    .locator('#book-sales')
    .getByRole('button', { name: /digital/i })
    .click()
  await expect(page.getByText('Purchase Failed')).toBeVisible()
  expect(refusals(complaints).length).toBeGreaterThan(0)
  stripe.faults.tooMany = 0
  await page
    .locator('#book-sales')
    .getByRole('button', { name: /digital/i })
    .click()
  await page.waitForURL('**/pay/cs_test_*')
  await payHere(page)
  await page.waitForURL('**/dashboard*')
  await expect(page.getByRole('listitem')).toHaveCount(1)

  stripe.denied.add('key')
  await enter(page, shop, await makeUser(shop))
  await page.goto('/')
  await page
    .locator('#book-sales')
    .getByRole('button', { name: /digital/i })
    .click()
  await expect(
    page.getByText('Payments are not available at the moment. Please try again later.'),
  ).toBeVisible()
  refusals(complaints)

  await enterAdmin(page, shop, '/admin/payments')
  const faults = page.getByRole('region', { name: 'Payments do not work as they should' })
  await expect(faults).toContainText('Stripe does not accept the shop’s key')
  await expect(faults).toContainText('Invalid API Key provided: sk_test_x')
  await expect(page.getByRole('navigation', { name: 'Views' })).toContainText(/Today\d/)

  stripe.denied.clear()
  await enter(page, shop, await makeUser(shop))
  await page.goto('/')
  await page
    .locator('#book-sales')
    .getByRole('button', { name: /digital/i })
    .click()
  await page.waitForURL('**/pay/cs_test_*')
  await enterAdmin(page, shop, '/admin/payments')
  await expect(faults).toHaveCount(0)
  // What is left is the stretch in which nobody could pay, until the author has read it.
  // Other journeys of this shop may have left some; the newest stands first.
  const outages = page
    .getByRole('listitem')
    .filter({ hasText: /Stripe did not accept the key of the shop; 1 person could not pay/ })
  await expect(outages.first()).toBeVisible()
  const before = await outages.count()
  await outages.first().getByRole('button', { name: 'Dismiss' }).click()
  const question = page.getByRole('dialog', { name: 'Dismiss this?' })
  await question.getByLabel('What you did about it').fill('I have written to them.')
  await question.getByRole('button', { name: 'Dismiss' }).click()
  await expect(outages).toHaveCount(before - 1)
})
