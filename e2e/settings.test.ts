// Settings on the screen: saved at once, with a proof, never over another admin's, and never over the environment.
import { openDatabase } from '#platform/db/client.ts'
import { age } from '#test/changes.ts'
import { expectAccessible } from './accessible.ts'
import { admin, expect, refusals, test } from './shop.ts'
import { buy, enterAdmin, makeUser, password, signIn } from './users.ts'

test.use({ shopName: 'a shop of settings', settings: { SITE_URL: '' } })

test('an admin sets the time zone and the address; a mistake stays in its field', async ({ page, shop }) => {
  await enterAdmin(page, shop, '/admin/settings')
  const main = page.getByRole('main')
  const address = main.getByLabel('Address')
  await expect(main.getByText('has no https', { exact: false })).toBeVisible()
  await expectAccessible(page)

  await address.fill('books.example/shop')
  await main.getByRole('button', { name: 'Save' }).click()
  await expect(address).toBeFocused()
  await expect(address).toHaveAccessibleDescription(/leave out what follows the host/)
  await expect(address).toHaveValue('books.example/shop')
  const warning = main.getByRole('alert').filter({ hasText: 'Passkeys belong to localhost' })
  await expect(warning).toBeVisible()

  await address.fill(shop.url)
  await expect(warning).toBeHidden()
  await main.getByLabel('Time zone').selectOption('Asia/Tokyo')
  await main.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Settings saved')).toBeVisible()
  await expect(main.getByText(`Last changed by ${admin.email}`, { exact: false })).toBeVisible()
  await page.goto('/admin/sales')
  await expect(main.getByText('Asia/Tokyo', { exact: false }).first()).toBeVisible()
})

test('an admin chooses the currency until the first sale; the page then says why it stays', async ({
  page,
  shop,
}) => {
  await enterAdmin(page, shop, '/admin/settings')
  const main = page.getByRole('main')
  const currency = main.getByLabel('Currency')
  await currency.selectOption('Euro (EUR)')
  const loaded = page.waitForEvent('load')
  await main.getByRole('button', { name: 'Save' }).click()
  await loaded
  await expect(currency).toHaveValue('eur')
  await page.getByRole('link', { name: 'Products', exact: true }).click()
  await expect(main.getByText('€14.99', { exact: false })).toBeVisible()
  await page.goto('/')
  await expect(page.getByText('Save €30')).toBeVisible()
  await expect(page.locator('#book-sales')).not.toContainText('$')
  expect(await (await page.request.get('/')).text()).toContain('"priceCurrency":"EUR"')

  await buy(shop, await signIn(shop, { email: await makeUser(shop), password }), 'digital')
  await page.goto('/admin/settings')
  await expect(currency).toBeDisabled()
  await expect(currency).toHaveValue('eur')
  await expect(currency).toHaveAccessibleDescription(/has sold in it, so it cannot be changed/)
  await expectAccessible(page)
})

test('an admin chooses countries and tax', async ({ page, shop }) => {
  await enterAdmin(page, shop, '/admin/settings/shipping')
  const main = page.getByRole('main')
  await expectAccessible(page)
  await main.getByLabel('Countries', { exact: true }).selectOption('Canada')
  await main.getByRole('button', { name: 'Add', exact: true }).click()
  await main.getByRole('button', { name: 'Remove United States' }).click()
  await expect(main.getByRole('button', { name: 'Remove Canada' })).toBeFocused()
  await main.getByRole('link', { name: 'Tax' }).click()
  await page.getByRole('button', { name: 'Stay on this page' }).click()
  await main.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Settings saved')).toBeVisible()
  const terms = await (await fetch(`${shop.url}/api/shipping`)).json()
  expect(terms).toMatchObject({ asks_address: false, countries: ['CA'] })
  await main.getByRole('button', { name: 'Add all that Stripe serves' }).click()

  await page.reload()
  await main.getByRole('link', { name: 'Tax' }).click()
  await main.getByLabel('Digital').fill('txcd_1')
  await main.getByLabel('Work out tax').check()
  await page.setViewportSize({ width: 390, height: 850 })
  await main.getByRole('button', { name: 'Save' }).click()
  await expect(main.getByLabel('Digital')).toBeFocused()
  await main.getByLabel('Digital').fill('txcd_10302001')
  await main.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Settings saved').last()).toBeVisible()
  await expect(main.getByLabel('Work out tax')).toBeChecked()
  await expectAccessible(page)
})

test('settings wait for a proof, and do not overwrite another admin’s', async ({
  page,
  shop,
  complaints,
}) => {
  const { access_token } = await enterAdmin(page, shop, '/admin/settings')
  const main = page.getByRole('main')
  await using database = openDatabase(shop.databaseUrl, { max: 1 })
  const saved = page.getByText('Settings saved')

  await main.getByLabel('Time zone').selectOption('Europe/Berlin')
  await age(database, 'auth.sessions.proved_at', '11 minutes')
  await main.getByRole('button', { name: 'Save' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await expectAccessible(page)
  await proof.getByLabel('Your password').fill('a guess')
  await proof.getByRole('button', { name: 'Save' }).click()
  await expect(proof.getByText('That’s not your password.')).toBeVisible()
  await proof.getByLabel('Your password').fill(admin.password)
  await proof.getByRole('button', { name: 'Save' }).click()
  await expect(saved).toBeVisible()
  await expect(main.getByLabel('Time zone')).toHaveValue('Europe/Berlin')

  await database.pool.query('update auth.sessions set proved_at = now()')
  await main.getByLabel('Time zone').selectOption('Asia/Tokyo')
  const url = `${shop.url}/api/admin/settings/shop`
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
  const { revision } = (await (await fetch(url, { headers })).json()) as { revision: number }
  const values = { site_url: 'https://books.example' }
  await fetch(url, { method: 'PUT', headers, body: JSON.stringify({ revision, values }) })
  await main.getByRole('button', { name: 'Save' }).click()
  await expect(main.getByRole('alert')).toContainText('has changed these settings')
  await expect(main.getByLabel('Time zone')).toHaveValue('Asia/Tokyo')
  await expect(main.getByLabel('Address')).toHaveValue('https://books.example')
  await main.getByRole('button', { name: 'Save' }).click()
  await expect(main.getByRole('alert')).toBeHidden()
  await page.reload()
  await expect(main.getByLabel('Time zone')).toHaveValue('Asia/Tokyo')
  await expect(main.getByLabel('Address')).toHaveValue('https://books.example')
  // The pages that are cached name the new address.
  const home = await (await fetch(shop.url)).text()
  expect(home).toContain('<link rel="canonical" href="https://books.example/"')
  refusals(complaints)
})

test('an admin invites another, and removes them', async ({ page, shop }) => {
  await enterAdmin(page, shop, '/admin/settings/admins')
  const main = page.getByRole('main')
  await expect(main.getByText('The last admin cannot be removed.')).toBeVisible()
  await main.getByLabel('Email address').fill('editor')
  await main.getByRole('button', { name: 'Add' }).click()
  await expect(main.getByLabel('Email address')).toHaveAccessibleDescription(/valid email address/)
  await main.getByLabel('Email address').fill('editor@books.example')
  await main.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByText('Admin invited')).toBeVisible()
  await expect(main.getByText('Has not signed in yet')).toBeVisible()
  await expectAccessible(page)
  await main.getByRole('button', { name: 'Remove editor@books.example' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(main.getByText('The last admin cannot be removed.')).toBeVisible()
})
