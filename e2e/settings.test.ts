// Settings on the screen: saved at once, with a proof, never over another admin's, and never over the environment.
import { expectAccessible } from './accessible.ts'
import { admin, expect, test } from './shop.ts'
import { enterAdmin } from './users.ts'

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

  await address.fill(shop.url)
  await main.getByLabel('Time zone').selectOption('Asia/Tokyo')
  await main.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Settings Saved')).toBeVisible()
  await expect(main.getByText(`Last changed by ${admin.email}`, { exact: false })).toBeVisible()
  await page.goto('/admin/sales')
  await expect(main.getByText('Asia/Tokyo', { exact: false }).first()).toBeVisible()
})

test('an admin chooses countries and tax', async ({ page, shop }) => {
  await enterAdmin(page, shop, '/admin/settings/shipping')
  const main = page.getByRole('main')
  await expectAccessible(page)
  await main.getByLabel('Countries', { exact: true }).selectOption('Canada')
  await main.getByRole('button', { name: 'Add', exact: true }).click()
  await main.getByRole('button', { name: 'Remove United States' }).click()
  await main.getByRole('link', { name: 'Tax' }).click()
  await page.getByRole('button', { name: 'Stay on this page' }).click()
  await main.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Settings Saved')).toBeVisible()
  const terms = await (await fetch(`${shop.url}/api/shipping`)).json()
  expect(terms).toEqual({ asks_address: false, countries: ['CA'] })
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
  await expect(page.getByText('Settings Saved').last()).toBeVisible()
  await expect(main.getByLabel('Work out tax')).toBeChecked()
  await expectAccessible(page)
})
