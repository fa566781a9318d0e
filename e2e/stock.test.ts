// A book on paper from its first word to its last copy.
import type { AdminProduct } from '#contract/catalog/admin-products.ts'
import { expectAccessible } from './accessible.ts'
import { expect, refusals, test } from './shop.ts'
import { enter, enterAdmin, makeUser, password, post, signIn } from './users.ts'

test.use({ shopName: 'the shop with few copies' })

test('a checklist leads to a product that can be sold, and its last copy makes the page say so', async ({
  page,
  shop,
  complaints,
}) => {
  const session = await enterAdmin(page, shop, '/admin/products/new')
  const beside = page.getByRole('complementary', { name: 'On the page' })
  const step = (name: string) => beside.getByRole('listitem').filter({ hasText: name })
  await expect(beside).toContainText('2 steps left')
  await expect(step('A book on paper')).toContainText('done')
  await page.getByLabel('Name').fill('A Numbered Print')
  await expect(step('A name')).toContainText('done')
  await expect(beside).toContainText('1 step left')
  await page.getByLabel('Format').selectOption('digital')
  await expect(step('A file')).toContainText('missing')
  await page.getByLabel('Format').selectOption('hardcover')
  await page.getByLabel('Price ($)').fill('120')
  await expect(beside).toContainText('not saved yet')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add the product' }).click()
  await expect(page.getByText('Product added')).toBeVisible()
  await expect(beside).toContainText('for sale')
  await expect(step('A description')).toContainText('worth having')

  await page.getByLabel('Copies to sell').fill('2')
  await page.getByRole('button', { name: 'Count copies' }).click()
  await expect(page.getByText('2 left', { exact: true })).toBeVisible()
  await expectAccessible(page)

  const id = page.url().split('/').at(-1)!
  const { access_token } = await signIn(shop, { email: await makeUser(shop), password })
  await post(shop, '/api/purchases', { product_id: id }, access_token)
  // The sale is not undone, neither by the first try nor by a second.
  await page.getByLabel('Copies to sell').fill('20')
  await page.getByRole('button', { name: 'Save the number' }).click()
  await expect(page.getByText('Please look at the number again', { exact: false })).toBeVisible()
  await expect(page.getByLabel('Copies to sell')).toHaveValue('1')
  expect(refusals(complaints)).toHaveLength(1)
  await enter(page, shop, await makeUser(shop))
  await page.goto('/')
  const card = page.locator('#book-sales').getByRole('listitem').filter({ hasText: 'A Numbered Print' })
  await card.getByRole('button', { name: 'Buy' }).click()
  await expect(page).toHaveURL('/dashboard')
  await page.goto('/')
  await expect(card.getByRole('button', { name: 'Sold out' })).toBeDisabled()
  await expectAccessible(page)

  await enterAdmin(page, shop, '/admin/products')
  const row = page.getByRole('listitem').filter({ hasText: 'A Numbered Print' })
  await expect(row).toContainText('sold out')
  await page.getByRole('link', { name: 'A Numbered Print' }).click()
  await expect(beside).toContainText('sold out')
  await page.getByRole('button', { name: 'Duplicate' }).click()
  await expect(page.getByText('Product duplicated')).toBeVisible()
  await page.getByRole('button', { name: 'Show it on the page' }).click()
  await expect(beside).toContainText('for sale')
  await page.getByRole('button', { name: 'Archive' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Archive' }).click()
  await expect(beside).toContainText('in the archive')
  await page.goto('/admin/products')
  await page.getByText('Archive (1)').click()
  await expect(page.getByRole('link', { name: 'A Numbered Print (copy)' })).toBeVisible()
  await expectAccessible(page)
  const response = await fetch(`${shop.url}/api/admin/products/${id}`, {
    headers: { authorization: `Bearer ${session.access_token}` },
  })
  expect((await response.json()) as AdminProduct).toMatchObject({ copies: 0, sold: 2, is_sold_out: true })
})
