// What cannot be delivered is not for sale: the admin area says why, until its file has come.
import { fileURLToPath } from 'node:url'
import type { Locator } from '@playwright/test'
import { enterAdmin } from './users.ts'
import { expect, test } from './shop.ts'

// With this test's product it has five.
test.use({ shopName: 'the shop of five products' })

const sample = fileURLToPath(new URL('../content/edition/sample.epub', import.meta.url))

test('a digital product without a file says why it is not for sale, and is once its file is uploaded', async ({
  page,
  shop,
}) => {
  const name = 'A Study Guide'
  const reason = 'Not for sale: it has no file yet'
  await enterAdmin(page, shop, '/admin/products/new')
  const tick = page.getByRole('checkbox', { name: 'Digital product, with a download' })
  await expect(tick).not.toBeChecked()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Price ($)').fill('4.00')
  await page.getByLabel('Format').selectOption('digital')
  await expect(tick).toBeChecked()
  await page.getByLabel('What is in it').fill('Nine weeks for a group\n\n  A page for notes  ')
  await page.getByRole('button', { name: 'Add the product' }).click()
  await expect(page.getByText('Product added')).toBeVisible()
  await expect(page.locator('#main').getByText(reason)).toBeVisible()
  await expect(page.getByLabel('What is in it')).toHaveValue('Nine weeks for a group\nA page for notes')
  await page.goto('/admin/products')
  const row = page.getByRole('listitem').filter({ hasText: name })
  await expect(row).toContainText(reason)
  await page.goto('/#book-sales')
  await expect(page.getByRole('heading', { name: 'Get Your Copy Today' })).toBeVisible()
  await expect(page.getByText(name)).toHaveCount(0)

  await page.goto('/admin/upload')
  await page.getByLabel('A new edition of a product').check()
  await page.getByLabel('Product', { exact: true }).selectOption({ label: name })
  await page.getByRole('button', { name: 'Upload Ebook' }).click()
  await expect(page.getByText('Missing Information')).toBeVisible()
  await page.getByLabel('Ebook file').setInputFiles(sample)
  await page.getByRole('button', { name: 'Upload Ebook' }).click()
  await expect(page.getByText('File added', { exact: true })).toBeVisible()
  await expect(page.getByText('It is for sale from now on.')).toBeVisible()
  await expect(page).toHaveURL('/admin')
  await page.goto('/#book-sales')
  const card = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
  await expect(card).toContainText('A page for notes')
  // The fifth: alone in the second row, in its middle.
  await page.setViewportSize({ width: 1360, height: 900 })
  const list = page.locator('#book-sales ul').first()
  expect(await middleOf(list.locator('> li:last-child'))).toBeCloseTo(await middleOf(list), 0)
  await expect(card).toContainText('EPUB for your reading device')
  await expect(card).not.toContainText('PDF')
})

const middleOf = (place: Locator) =>
  place.evaluate((element) => {
    const { left, right } = element.getBoundingClientRect()
    return (left + right) / 2
  })
