// The manual in the admin area: from a screen to its page, from page to page, and by a word.
import { expectAccessible } from './accessible.ts'
import { expect, test } from './shop.ts'
import { enterAdmin } from './users.ts'

test('a screen leads to its page of the help, which is read on and searched', async ({ page, shop }) => {
  await enterAdmin(page, shop, '/admin/shipping')
  const heading = (name: string) => page.getByRole('heading', { level: 2, name })
  await page.getByRole('main').getByRole('link', { name: 'Shipping', exact: true }).last().click()
  await expect(page).toHaveURL('/admin/help/shipping')
  await expect(heading('Shipping')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Next: Discounts and free copies' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Shipping', exact: true }).click()
  await expect(page).toHaveURL('/admin/shipping')

  await page.goto('/admin/help')
  await page.getByRole('searchbox', { name: 'Search the help' }).fill('mistyped address')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Orders and refunds' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Backups', exact: true })).toHaveCount(1)
  await expectAccessible(page)
  await page.getByRole('searchbox', { name: 'Search the help' }).fill('zzz')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Nothing found')).toBeVisible()
})
