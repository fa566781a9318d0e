// The search of the admin area, by the keyboard alone.
import { expectAccessible } from './accessible.ts'
import { expect, test } from './shop.ts'
import { buy, enterAdmin, makeUser, password, signIn } from './users.ts'

test('a reader, an order and a setting are found and opened by the keyboard alone', async ({
  page,
  shop,
}) => {
  const email = await makeUser(shop)
  await buy(shop, await signIn(shop, { email, password }), 'digital')
  await enterAdmin(page, shop)
  await expect(page.getByText('Total Revenue')).toBeVisible()
  const field = page.getByRole('combobox', { name: /^Find readers/ })
  const results = page.getByRole('listbox', { name: 'Results' })

  await page.keyboard.press('Control+k')
  await expect(field).toBeFocused()
  await page.keyboard.type(email)
  await expect(results.getByRole('option')).toHaveCount(2)
  await expect(results.getByRole('option').first()).toHaveAttribute('aria-selected', 'true')
  await expectAccessible(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/admin\/purchases\/[\w-]{36}$/)
  await expect(field).toHaveCount(0)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('smtp')
  await expect(results.getByRole('option', { name: 'Mail settings' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/admin/settings/mail')

  await page.keyboard.press('Control+k')
  await page.keyboard.type('zzz nothing')
  await expect(page.getByText('Nothing found')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(field).toHaveCount(0)
})

test('a slash leads to the search of a list, and can be switched off', async ({ page, shop }) => {
  await enterAdmin(page, shop, '/admin/users')
  const search = page.getByRole('searchbox', { name: 'Search users' })
  await expect(search).toBeVisible()
  await page.keyboard.press('/')
  await expect(search).toBeFocused()
  await page.keyboard.type('/a')
  await expect(search).toHaveValue('/a')

  await page.getByRole('button', { name: 'Find anything' }).click()
  await page.getByRole('checkbox', { name: /to search a list$/ }).uncheck()
  await page.keyboard.press('Escape')
  await page.reload()
  await expect(search).toBeVisible()
  await page.keyboard.press('/')
  await expect(search).not.toBeFocused()
})
