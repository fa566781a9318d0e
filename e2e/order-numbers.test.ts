// The number of an order: the same for the user and the admin, and found by typing it.
import type { Page } from '#contract/paging.ts'
import type { Purchase } from '#contract/orders/purchases.ts'
import { buy, enter, enterAdmin, makeUser } from './users.ts'
import { expect, test } from './shop.ts'

test('an order has one number on dashboard, receipt, mail, admin list, purchase page and packing slip', async ({
  page,
  shop,
}) => {
  const email = await makeUser(shop)
  const session = await enter(page, shop, email)
  await buy(shop, session, 'hardcover')
  const response = await fetch(`${shop.url}/api/purchases`, {
    headers: { authorization: `Bearer ${session.access_token}` },
  })
  const [{ id, number } = { id: '', number: 0 }] = ((await response.json()) as Page<Purchase>).items
  const order = `#${number}`

  await page.goto('/dashboard')
  await expect(page.getByRole('region', { name: 'Your Purchases' }).getByRole('listitem')).toContainText(
    order,
  )
  await page.getByRole('link', { name: /^Receipt for/ }).click()
  await expect(page.getByRole('article')).toContainText(`Order ${order}`)
  const mail = await shop.mailbox.to(email, /receipt/)
  expect(mail.text?.replaceAll(/\s+/g, ' ')).toContain(`Order ${order}`)

  await enterAdmin(page, shop, '/admin/purchases')
  await page.getByRole('searchbox', { name: 'Search purchases' }).fill(order)
  await expect(page).toHaveURL(new RegExp(`q=%23${number}`))
  const rows = page.getByRole('table', { name: 'Purchases' }).getByRole('row')
  await expect(rows).toHaveCount(2)
  await rows.getByRole('link', { name: order }).click()
  await expect(page.getByRole('heading', { name: `Order ${order}` })).toBeVisible()
  await page.goto(`/admin/shipping/slips?ids=${id}`)
  await expect(page.getByRole('article')).toContainText(order)
})
