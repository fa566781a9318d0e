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
