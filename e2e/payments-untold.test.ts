// Payments without a webhook: the reconciler finds them, a returning buyer does not wait, and nothing is sold twice.
import { beginCheckout, payHere, sessionOf, userAtCheckout } from './paying.ts'
import { enter, makeUser } from './users.ts'
import { expect, refusals, test } from './shop.ts'

test.use({
  shopName: 'the shop without webhooks',
  takesMoney: true,
  settings: { STRIPE_RECONCILE_SECONDS: '1' },
})

test('paid, the tab lost, and no webhook ever: the reconciler finds it', async ({ page, shop, stripe }) => {
  const email = await userAtCheckout(page, shop)
  const sent = stripe.webhooks.figures.sent
  await payHere(page, { isLost: true, webhook: 'never' })
  // Closed any sooner, the tab might take the payment with it.
  await expect(page.getByRole('heading', { name: 'Paid' })).toBeVisible()
  await page.close()
  await shop.mailbox.to(email, /receipt/i)
  const later = await page.context().newPage()
  await later.goto('/dashboard')
  await expect(later.getByRole('listitem')).toHaveCount(1)
  await expect(later.getByRole('listitem')).toContainText('completed')
  expect(stripe.webhooks.figures.sent).toBe(sent)
})

test('a buyer who is faster than the webhook has the book at once, and one receipt', async ({
  page,
  shop,
  stripe,
}) => {
  const email = await userAtCheckout(page, shop)
  const { heard } = stripe.webhooks.figures
  await payHere(page, { webhook: 'after the redirect' })
  await page.waitForURL('**/dashboard*')
  await expect(page.getByText('Purchase Successful!')).toBeVisible()
  await expect(page.getByRole('listitem')).toContainText('completed')
  await expect.poll(() => stripe.webhooks.figures.heard).toBe(heard + 1)
  await page.reload()
  await expect(page.getByRole('listitem')).toHaveCount(1)
  const receipts = (await shop.mailbox.all()).filter((mail) => mail.to?.[0]?.address === email)
  expect(receipts).toHaveLength(1)
})

test('a checkout that ran out is no purchase, and the next click begins another', async ({
  page,
  shop,
  stripe,
}) => {
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

test('with Stripe away the buyer is told so, and the next click goes on', async ({
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
})
