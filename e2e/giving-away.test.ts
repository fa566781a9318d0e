// A shop that gives its book away, on a phone: a pre-order is taken back, and what its author reads of it.
import {
  callAsAdmin,
  buy,
  enter,
  enterAdmin,
  fillAddress,
  makeUser,
  orderOf,
  productOf,
  saveSettings,
} from './users.ts'
import { expect, test } from './shop.ts'

test.use({
  shopName: 'a shop that gives its book away',
  hasOwnBook: true,
  viewport: { width: 390, height: 844 },
})

const address = {
  name: 'Boaz of Bethlehem',
  line1: '7 Barley Road',
  city: 'Portland',
  state: 'OR',
  postal_code: '97201',
  country: 'US',
}

test('a free pre-order names its day to reader and author, and either takes it back', async ({
  page,
  shop,
}) => {
  await saveSettings(shop, 'payments', { without_key: 'free' })
  const call = await callAsAdmin(shop)
  const { id, name } = await productOf(shop, 'hardcover')
  const release_on = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10)
  expect((await call('PATCH', `/api/admin/products/${id}`, { body: { release_on } })).status).toBe(200)

  const reader = await enter(page, shop, await makeUser(shop))
  await page.goto('/')
  await page.locator(`form[action="/buy/${id}"] button`).first().click()
  await expect(page.getByRole('dialog')).toContainText('Pre-order: out on')
  await fillAddress(page, 'Ruth of Moab')
  await page.getByRole('button', { name: 'Buy and ship here' }).click()
  await expect(page.getByText(/You have successfully purchased .+ It comes out on/)).toBeVisible()
  const thanks = page.getByRole('region', { name: `Thank you for buying ${name}` })
  await expect(thanks.getByText(/^It comes out on .+ Until then/)).toBeVisible()
  await page.getByRole('button', { name: `Take back the order of ${name}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Take the order back' }).click()
  await expect(page.getByText('This order was taken back.')).toBeVisible()

  await buy(shop, reader, 'digital')
  await buy(shop, reader, 'hardcover', { address })
  const order = await orderOf(shop, reader)
  await enterAdmin(page, shop)
  await expect(page.getByText(/1 pre-ordered parcel: the book is out on/)).toBeVisible()
  await expect(page.getByRole('button', { name: /^Ship parcel/ })).toHaveCount(0)
  await page.getByRole('link', { name: '1 pre-ordered parcel' }).click()
  await expect(page.getByRole('row', { name: /Boaz of Bethlehem/ })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Pre-orders 1' })).toBeVisible()

  await page.goto('/admin/purchases')
  const row = page.getByRole('row').filter({ hasText: 'Digital' })
  const [title, badge] = [row.getByRole('link').first(), row.getByText(/^completed$/i)]
  const [left, right] = [await title.boundingBox(), await badge.boundingBox()]
  expect(left!.x + left!.width).toBeLessThanOrEqual(right!.x)

  await page.goto('/admin/sales')
  const byFormat = page.getByRole('table', { name: 'Sales by format' })
  await expect(byFormat.getByRole('cell', { name: '1free' }).first()).toBeVisible()
  await page.goto('/admin/discounts')
  await expect(page.getByText('codes do nothing now')).toBeVisible()
  await page.goto('/admin/products')
  await expect(page.getByText(/· free now/).first()).toBeVisible()

  await page.goto(`/admin/purchases/${order.id}`)
  await expect(page.getByText('The parcel may leave before.')).toBeVisible()
  await page.getByRole('button', { name: 'Take back' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Take it back' }).click()
  await expect(page.getByText('Order taken back')).toBeVisible()
  await page.goto('/admin/shipping')
  await expect(page.getByText('Nothing to ship')).toBeVisible()
  await expect(page.getByRole('link', { name: /^Pre-orders/ })).toHaveCount(0)
})
