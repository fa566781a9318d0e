// A browser without a connection: what is wrong is said plainly, nothing is lost, and the next try is the same one.
import { buy, enter, makeUser, password } from './users.ts'
import { expect, refusals, test } from './shop.ts'
import { expectToast } from './toast.ts'

const words = 'You are offline. Please try again when you are connected.'

test('a purchase begun offline is bought once when the connection is back', async ({
  page,
  shop,
  context,
  complaints,
}) => {
  await enter(page, shop, await makeUser(shop))
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible()
  const keys: (string | undefined)[] = []
  // The response to the first try is lost on its way.
  await page.route('**/api/purchases', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    keys.push(route.request().headers()['idempotency-key'])
    if (keys.length > 1) return route.continue()
    await route.fetch()
    await context.setOffline(true)
    return route.abort()
  })
  const button = page.getByRole('button', { name: 'Buy Digital', exact: true })
  await button.click()
  await expectToast(page, 'Purchase Failed', words)
  await context.setOffline(false)
  await button.click()
  await page.waitForURL('**/dashboard')
  await expect(page.getByRole('listitem')).toHaveCount(1)
  expect(new Set(keys).size).toBe(1)
  refusals(complaints)
})

test('signing in, writing to the author and the dashboard say that one is offline', async ({
  page,
  shop,
  context,
  complaints,
}) => {
  const email = await makeUser(shop)
  await page.goto('/auth')
  await context.setOffline(true)
  const form = page.getByRole('tabpanel', { name: 'Sign In' })
  await form.getByLabel('Email').fill(email)
  await form.getByLabel('Password', { exact: true }).fill(password)
  await form.getByRole('button', { name: 'Sign In' }).click()
  await expectToast(page, 'Sign In Failed', words)
  await expect(form.getByLabel('Email')).toHaveValue(email)
  await context.setOffline(false)
  await form.getByRole('button', { name: 'Sign In' }).click()
  await expect(page).toHaveURL(`${shop.url}/`)

  await context.setOffline(true)
  for (const label of ['Name', 'Email', 'Subject', 'Message'])
    await page.locator('#contact').getByLabel(label, { exact: true }).fill('ruth@example.com')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expectToast(page, 'Failed to Send Message', `${words} What you wrote stays here.`)
  await context.setOffline(false)
  await page.reload()
  await expect(page.locator('#contact').getByLabel('Message', { exact: true })).toHaveValue(
    'ruth@example.com',
  )

  await buy(shop, await enter(page, shop, email), 'digital')
  await page.goto('/dashboard')
  await context.setOffline(true)
  await page
    .getByRole('button', { name: /^Download/ })
    .first()
    .click()
  await expectToast(page, 'Download Error', words)
  refusals(complaints)
})

test('a purchase whose code cannot be loaded says what to do', async ({ page, shop, complaints }) => {
  await enter(page, shop, await makeUser(shop))
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Dashboard' })).toBeVisible()
  await page.route('**/assets/buy-*.js', (route) => route.abort())
  const button = page.getByRole('button', { name: 'Buy Digital', exact: true })
  await button.click()
  await expectToast(page, 'Purchase Failed', 'Please load this page again, and try once more.')
  await expect(button).toBeFocused()
  await page.unroute('**/assets/buy-*.js')
  await page.reload()
  await button.click()
  await page.waitForURL('**/dashboard')
  expect(refusals(complaints)).toHaveLength(1)
})
