// Keys of Stripe pasted on the screen, and the test purchase that shows that all works.
import { expectAccessible } from './accessible.ts'
import { beginCheckout, payHere } from './paying.ts'
import { expect, refusals, test } from './shop.ts'
import { enterAdmin, storedSession } from './users.ts'

test.use({ shopName: 'a shop that gets its keys', settings: { SITE_URL: '' } })

test('an admin pastes a key, buys a test copy, refunds it, and is told what the live key needs', async ({
  page,
  shop,
  stripe,
  complaints,
}) => {
  // Its own endpoint is to be told, and this shop is on this machine.
  stripe.tellTo(undefined)
  stripe.reach.isLocal = true
  stripe.addKey('sk_live_x')
  await enterAdmin(page, shop, '/admin/settings/payments')
  const main = page.getByRole('main')
  const key = main.getByLabel('Secret key', { exact: true })
  const connect = main.getByRole('button', { name: 'Check and connect' })
  await expect(main.getByText('The shop takes no money', { exact: false })).toBeVisible()
  await expectAccessible(page)

  await key.fill('pk_test_x')
  await connect.click()
  await expect(key).toBeFocused()
  await expect(key).toHaveAccessibleDescription(/publishable key/)
  await key.fill('sk_test_wrong')
  await connect.click()
  await expect(key).toHaveAccessibleDescription(/Stripe does not accept this key/)
  await expect(key).toHaveValue('sk_test_wrong')
  await key.fill('sk_test_x')
  await connect.click()
  await expect(page.getByText('Stripe Connected')).toBeVisible()
  await expect(key).toHaveValue('')
  await expect(
    main.getByText('Stripe tells the shop of each payment at once', { exact: false }),
  ).toBeVisible()
  await expect(main.getByText('Buy your own book')).toBeVisible()
  await expectAccessible(page)

  await beginCheckout(page)
  await payHere(page, { told: 'before the redirect' })
  await page.waitForURL('**/dashboard**')
  await page.goto('/admin/settings/payments')
  await expect(main.getByText('The shop has seen the payment of #1001.')).toBeVisible()
  const [intent] = stripe.intents.keys()
  const refund = stripe.refund(intent!)
  await stripe.tell('refund.created', refund)
  await expect(main.getByText('The shop has seen the refund of #1001.')).toBeVisible()

  await key.fill('sk_live_x')
  await connect.click()
  await expect(key).toHaveAccessibleDescription(/over https only/)
  await page.goto('/admin/purchases')
  await expect(main.getByText('test', { exact: true }).first()).toBeVisible()
  refusals(complaints)

  // The shop moves, and what Stripe knows of it does not.
  const headers = { authorization: `Bearer ${(await storedSession(page)).access_token}` }
  const values = { site_url: shop.url.replace('localhost', 'books.localhost') }
  const data = { revision: 0, values }
  expect((await page.request.put('/api/admin/settings/shop', { headers, data })).status()).toBe(200)
  await page.goto('/admin/payments')
  await expect(main.getByText('Stripe still reports to the shop’s former address')).toBeVisible()
  await expectAccessible(page)
  await main.getByRole('link', { name: 'settings' }).click()
  await expect(main.getByRole('alert')).toContainText(shop.url)
  await expectAccessible(page)
  await main.getByRole('button', { name: 'Let Stripe report to the present address' }).click()
  await expect(page.getByText('Stripe reports payments to the present address now.')).toBeVisible()
  await expect(main.getByRole('alert')).toHaveCount(0)
  expect(stripe.endpoints.map(({ url }) => url)).toEqual([`${values.site_url}/api/stripe/webhook`])
})
