// Stripe does not accept the key: what a buyer reads, and what the author finds on top of what needs attention.
import { expectAccessible } from './accessible.ts'
import { enter, enterAdmin, makeUser } from './users.ts'
import { expect, refusals, test } from './shop.ts'

test.use({ shopName: 'the shop whose key is revoked', takesMoney: true })

test('with a revoked key the buyer reads a clear error, and the author Stripe’s words until it works', async ({
  page,
  shop,
  stripe,
  complaints,
}) => {
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
  await expect(faults).toContainText('Stripe does not accept your key')
  await expect(faults).toContainText('Invalid API Key provided: sk_test_x')
  await expect(page.getByRole('navigation', { name: 'Views' })).toContainText('Needs attention1')
  await expectAccessible(page)

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
  await expect(
    page.getByText(/Stripe did not accept the key of the shop; 1 person could not pay/),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Dismiss' }).click()
  const question = page.getByRole('dialog', { name: 'Dismiss this?' })
  await question.getByLabel('What you did about it').fill('I have written to them.')
  await question.getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByText('Nothing needs attention')).toBeVisible()
})
