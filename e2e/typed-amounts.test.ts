// Prices and refunds in the notation that their author is used to.
import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, test } from './shop.ts'
import { buy, enter, enterAdmin, makeUser } from './users.ts'

async function addProduct(page: Page, name: string, price: string, understood: string): Promise<void> {
  await page.goto('/admin/products/new')
  await page.getByLabel('Name').fill(name)
  const field = page.getByLabel(/^Price \(/)
  await field.fill(price)
  await expect(page.getByRole('status').getByText(understood, { exact: true })).toBeVisible()
  await expect(field).toHaveValue(price)
  await page.getByRole('button', { name: 'Add the product' }).click()
  await expect(page.getByRole('heading', { name })).toBeVisible()
}

const savedPrice = (page: Page): Locator => page.getByLabel(/^Price \(/)

test('with decimals, "1,200" is refused in a price and in a refund, and names both readings', async ({
  page,
  shop,
}) => {
  await enterAdmin(page, shop, '/admin/products/new')
  await page.getByLabel('Name').fill('For collectors')
  await page.getByLabel('Price ($)').pressSequentially('1,200')
  const both = 'Do you mean 1200.00 or 1.20? Please type one of the two.'
  await expect(page.getByRole('status').getByText(both)).toBeVisible()
  await expect(page.getByLabel('Price ($)')).not.toHaveAttribute('aria-invalid')
  await page.getByRole('button', { name: 'Add the product' }).click()
  await expect(page.getByLabel('Price ($)')).toHaveAccessibleDescription(both)
  await expect(page.getByLabel('Price ($)')).toBeFocused()
  await expectAccessible(page)
  await addProduct(page, 'For collectors', '1.200,00', '$1,200.00')
  await expect(savedPrice(page)).toHaveValue('1200.00')

  const email = await makeUser(shop)
  await buy(shop, await enter(page, shop, email), 'digital')
  await enterAdmin(page, shop, `/admin/purchases?q=${encodeURIComponent(email)}`)
  await page.getByRole('table', { name: 'Purchases' }).getByRole('link').first().click()
  const amount = page.getByLabel('Amount ($)')
  const record = page.getByRole('button', { name: 'Record a refund', exact: true })
  for (const [typed, says] of [
    ['1,200', both],
    ['1,50 €', 'This amount is in USD, not in “€”.'],
    ['-1.50', 'An amount cannot be less than 0.'],
  ] as const) {
    await amount.fill(typed)
    await record.click()
    await expect(amount).toHaveAccessibleDescription(says)
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
  await amount.fill('$1.20')
  await record.click()
  await page
    .getByRole('dialog', { name: 'Record a refund of $1.20?' })
    .getByRole('button', { name: 'Record refund' })
    .click()
  await expect(page.getByText('Recorded. Now send $1.20 to the reader yourself.')).toBeVisible()
})

test.describe('in won', () => {
  test.use({ shopName: 'a shop in won', settings: { CURRENCY: 'krw' } })

  test('a sign before three digits is one for thousands', async ({ page, shop }) => {
    await enterAdmin(page, shop)
    await addProduct(page, 'By comma', '15,000', '₩15,000')
    await expect(savedPrice(page)).toHaveValue('15000')
    await addProduct(page, 'By point', '₩15.000', '₩15,000')
    await expect(savedPrice(page)).toHaveValue('15000')
    await savedPrice(page).fill('15,5')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect(savedPrice(page)).toHaveAccessibleDescription('Amounts in KRW have no decimals.')
  })
})
