// Keys of Stripe pasted on the screen, and the test purchase that shows that all works.
import { openDatabase } from '#platform/db/client.ts'
import { age } from '#test/changes.ts'
import { expectAccessible } from './accessible.ts'
import { beginCheckout, payHere } from './paying.ts'
import { admin, expect, refusals, test } from './shop.ts'
import { enterAdmin, storedSession } from './users.ts'

test.use({ shopName: 'a shop that gets its keys', settings: { SITE_URL: '' } })

test('an admin pastes a key, buys a test copy, refunds it, and is told what the live key needs', async ({
  page,
  shop,
  stripe,
  complaints,
}) => {
  // Its own endpoint is to be told, and this shop is on this machine.
  stripe.setWebhookUrl(undefined)
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
  await expect(page.getByText('Stripe connected')).toBeVisible()
  await expect(key).toHaveValue('')
  await expect(
    main.getByText('Stripe tells the shop of each payment at once', { exact: false }),
  ).toBeVisible()
  await expect(main.getByText('Buy your own book')).toBeVisible()
  await expectAccessible(page)

  await beginCheckout(page)
  await payHere(page, { webhook: 'before the redirect' })
  await page.waitForURL('**/dashboard**')
  await page.goto('/admin/settings/payments')
  await expect(main.getByText('The shop has seen the payment of #1001.')).toBeVisible()
  const [intent] = stripe.intents.keys()
  const refund = stripe.refund(intent!)
  await stripe.sendEvent('refund.created', refund)
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
  await main.getByRole('button', { name: 'Let Stripe report to the current address' }).click()
  await expect(page.getByText('Stripe reports payments to the current address now.')).toBeVisible()
  await expect(main.getByRole('alert')).toHaveCount(0)
  expect(stripe.endpoints.map(({ url }) => url)).toEqual([`${values.site_url}/api/stripe/webhook`])
})

test('a key that is typed and not sent is not connected by the proof for removing the present one', async ({
  page,
  shop,
  stripe,
  complaints,
}) => {
  stripe.addKey('sk_test_other', { id: 'acct_other', name: 'Another' })
  await enterAdmin(page, shop, '/admin/settings/payments')
  const main = page.getByRole('main')
  const key = main.getByLabel('Secret key', { exact: true })
  await key.fill('sk_test_x')
  await main.getByRole('button', { name: 'Check and connect' }).click()
  await expect(page.getByText('Stripe connected')).toBeVisible()
  await using database = openDatabase(shop.databaseUrl, { max: 1 })
  await age(database, 'auth.sessions.proved_at', '11 minutes')
  await key.fill('sk_test_other')
  await main.getByRole('button', { name: 'Remove the key' }).click()
  const confirm = page.getByRole('dialog', { name: 'Take no more payments?' })
  await confirm.getByRole('button', { name: 'Remove the key' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await proof.getByLabel('Your password').fill(admin.password)
  await proof.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Key removed')).toBeVisible()
  await expect(main.getByText('The shop takes no money', { exact: false })).toBeVisible()
  await expect(key).toHaveValue('sk_test_other')

  // Stored anew, and sealed with a secret that is gone.
  await database.pool.query('update auth.sessions set proved_at = now()')
  await main.getByRole('button', { name: 'Check and connect' }).click()
  await expect(main.getByText('Test payments go to Another', { exact: false })).toBeVisible()
  await database.pool.query(`update auth.setting_secrets set sealed = '\\x00'`)
  await database.pool.query(`select pg_notify('settings', '')`)
  await expect(async () => {
    await page.reload()
    await expect(main.getByRole('alert')).toContainText('nobody can buy', { timeout: 2_000 })
  }).toPass()
  await expect(main.getByText('Test payments go', { exact: false })).toBeHidden()
  await expect(main.getByText('Buy your own book')).toBeHidden()
  refusals(complaints)
})
