// What the admin area says where something is missing, unsaved, switched over or just left.
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { buy, enter, enterAdmin, makeUser } from './users.ts'
import { expect, refusals, test } from './shop.ts'

test.use({ shopName: 'the shop whose products change' })

const nobody = '00000000-0000-7000-8000-000000000000'

/** The frame that is shown while the first view loads has the same links, and is replaced. */
const loaded = (page: Page) => page.locator('main:not([aria-busy])').waitFor()

test('an address that leads to no user, product or purchase says so and leads back to the list', async ({
  page,
  shop,
  complaints,
}) => {
  await enterAdmin(page, shop)
  for (const [list, words] of [
    ['users', 'There is no such user'],
    ['products', 'There is no such product'],
    ['purchases', 'There is no such purchase'],
  ] as const) {
    for (const id of [nobody, 'nonsense']) {
      await page.goto(`/admin/${list}/${id}`)
      await expect(page.getByRole('heading', { name: words })).toBeVisible()
      await expect(page.getByText('could not be loaded')).toHaveCount(0)
    }
    await expectAccessible(page)
    await page.getByRole('link', { name: `All ${list}` }).click()
    await expect(page).toHaveURL(`${shop.url}/admin/${list}`)
    await expect(page.getByRole('heading', { name: words })).toHaveCount(0)
  }
  await page.goto('/admin/purchases/nonsense/evidence')
  await expect(page.getByRole('heading', { name: 'There is no such purchase' })).toBeVisible()
  refusals(complaints)
})

test('an unknown filter is reported, and can be cleared', async ({ page, shop, complaints }) => {
  await enterAdmin(page, shop)
  for (const view of ['purchases?status=nonsense', 'users?after=nonsense', 'sales?from=nonsense']) {
    await page.goto(`/admin/${view}`)
    await expect(page.getByText('This address asks for something that the shop does not know')).toBeVisible()
    await page.getByRole('link', { name: 'Show everything' }).click()
    await expect(page).toHaveURL(`${shop.url}/admin/${view.split('?')[0]}`)
    await expect(page.getByText('does not know')).toHaveCount(0)
  }
  refusals(complaints)
})

test('an unknown address of the admin area is not found, and leads home and back to the admin area', async ({
  page,
  shop,
  complaints,
}) => {
  await enterAdmin(page, shop)
  const response = await page.goto('/admin/nonsense')
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Return to Home' })).toHaveAttribute('href', '/')
  await page.getByRole('link', { name: 'Admin Dashboard' }).click()
  await expect(page).toHaveURL(`${shop.url}/admin`)
  await page.goto('/nonsense')
  await expect(page.getByRole('link', { name: 'Return to Home' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Admin Dashboard' })).toHaveCount(0)
  expect(refusals(complaints)).toHaveLength(2)
})

test('a user who signs out while a view of the admin area loads is told so once', async ({ page, shop }) => {
  await enterAdmin(page, shop)
  const held = Promise.withResolvers<void>()
  await page.route('**/api/admin/users*', async (route) => {
    await held.promise
    await route.continue().catch(() => undefined)
  })
  await loaded(page)
  const asked = page.waitForRequest('**/api/admin/users*')
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await asked
  const ended = page.waitForEvent('requestfailed', (request) => request.url().includes('/api/admin/users'))
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByText('Signed Out', { exact: true })).toBeVisible()
  await ended
  held.resolve()
  await page.waitForTimeout(300)
  expect(await page.getByText('Signed Out', { exact: true }).count()).toBe(1)
  await expect(page).toHaveURL(`${shop.url}/`)
})

test('a half-filled form asks before it is left by a link or by signing out, and not once it was sent', async ({
  page,
  shop,
}) => {
  await enterAdmin(page, shop, '/admin/users')
  await page.getByRole('button', { name: 'Add User' }).click()
  await page.getByLabel('Email').fill(`${crypto.randomUUID()}@example.com`)
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  await page.getByRole('link', { name: 'Products', exact: true }).click()
  await question.getByRole('button', { name: 'Stay on this page' }).click()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  const signOut = page.getByRole('dialog', { name: 'Sign out without saving?' })
  await expectAccessible(page)
  await signOut.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Generate' }).click()
  await page.getByRole('button', { name: 'Create User' }).click()
  await expect(page.getByText('User Created')).toBeVisible()
  await page.getByRole('link', { name: 'Products', exact: true }).click()
  await expect(page).toHaveURL(/\/admin\/products$/)

  await buy(shop, await enter(page, shop, await makeUser(shop)), 'hardcover')
  await enterAdmin(page, shop, '/admin/purchases')
  await page
    .getByRole('table', { name: 'Purchases' })
    .getByRole('link', { name: /^#\d+$/ })
    .first()
    .click()
  await page.getByLabel('Note (optional)').fill('A bent corner')
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await question.getByRole('button', { name: 'Leave without saving' }).click()
  await expect(page).toHaveURL(/\/admin\/users$/)

  await page.getByRole('button', { name: 'Add User' }).click()
  await page.getByLabel('Email').fill('left@example.com')
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await signOut.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(`${shop.url}/`)
  await expect(page.getByText('Signed Out', { exact: true })).toBeVisible()
})

test('the forms of products and uploads ask as well, and not once they were saved', async ({
  page,
  shop,
}) => {
  await enterAdmin(page, shop, '/admin/products')
  const question = page.getByRole('dialog', { name: 'Leave without saving?' })
  const leave = async () => {
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await question.getByRole('button', { name: 'Leave without saving' }).click()
    await expect(page).toHaveURL(/\/admin\/users$/)
    await expect(page.getByRole('table', { name: 'Users' })).toBeVisible()
  }

  await page.goto('/admin/products/new')
  await page.getByLabel('Name').fill('Half a name')
  await leave()
  await page.goto('/admin/products/new')
  await page.getByLabel('Name').fill('A paperback to keep')
  await page.getByLabel('Price ($)').fill('12')
  await page.getByRole('button', { name: 'Add the product' }).click()
  await expect(page.getByText('Product added')).toBeVisible()

  await page.getByLabel('What is in it').fill('A ribbon')
  await leave()
  await page.goBack()
  await page.getByLabel('What is in it').fill('Two ribbons')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Product saved')).toBeVisible()
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await expect(page).toHaveURL(/\/admin\/users$/)

  await page.goto('/admin/upload')
  await page.getByLabel('Title').fill('Half a title')
  await leave()
})

test('a bundle’s packing slip lists each book to pack, and what is sent by download', async ({
  page,
  shop,
}) => {
  await buy(shop, await enter(page, shop, await makeUser(shop)), 'bundle')
  await enterAdmin(page, shop, '/admin/purchases')
  await page
    .getByRole('table', { name: 'Purchases' })
    .getByRole('link', { name: /^#\d+$/ })
    .first()
    .click()
  await page.getByRole('link', { name: 'Packing slip' }).click()
  const slip = page.getByRole('article', { name: /^Packing slip/ })
  const lines = slip.getByRole('table', { name: 'To pack' }).getByRole('row')
  await expect(lines).toHaveText([/Qty/, /1.*Paperback$/, /1.*Hardcover$/])
  await expect(slip).toContainText(/Sent by download, nothing to pack: Nine P’?'?s/)
  await page.emulateMedia({ media: 'print' })
  const pdf = (await page.pdf({ format: 'A4' })).toString('latin1')
  expect(pdf.match(/\/Type \/Page\b/g)).toHaveLength(1)
})

test('the chart and its table each lead to the other by name', async ({ page, shop }) => {
  await buy(shop, await enter(page, shop, await makeUser(shop)), 'digital')
  await enterAdmin(page, shop)
  await page.getByRole('button', { name: 'Show as table' }).click()
  await expect(page.getByRole('table', { name: /^Sales by day/ })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Show as table' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Show as chart' }).click()
  await expect(page.getByRole('table', { name: /^Sales by day/ })).toHaveCount(0)
})

test('on a phone the settings slide, show that there are more, and have the present one in sight', async ({
  page,
  shop,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await enterAdmin(page, shop, '/admin/settings/admins')
  await loaded(page)
  const bar = page.getByRole('navigation', { name: 'Settings', exact: true })
  await expect(bar.getByRole('link', { name: 'Admins' })).toBeInViewport({ ratio: 0.9 })
  await expect(bar).toHaveAttribute('data-more', 'before')
  await bar.getByRole('link').first().focus()
  await expect(bar.getByRole('link').first()).toBeInViewport({ ratio: 0.9 })
  await expect(bar).toHaveAttribute('data-more', 'after')
})

test('on a phone the views stand behind a button, which the keyboard opens and closes', async ({
  page,
  shop,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await enterAdmin(page, shop)
  await expect(page.getByText('Total Revenue')).toBeVisible()
  const views = page.getByRole('navigation', { name: 'Views' })
  await expect(views).toHaveCount(0)
  await page.getByRole('button', { name: 'Menu' }).focus()
  await page.keyboard.press('Enter')
  await expect(views.getByRole('link', { name: 'Today' })).toHaveAttribute('aria-current', 'page')
  await expectAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await page.keyboard.press('Escape')
  await expect(views).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Menu' })).toBeFocused()
  await page.keyboard.press('Enter')
  await views.getByRole('link', { name: 'Shipping' }).click()
  await expect(page).toHaveURL('/admin/shipping')
  await expect(views).toHaveCount(0)

  const held = Promise.withResolvers<void>()
  await page.route('**/api/me', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.reload()
  await page.getByRole('button', { name: 'Menu' }).click()
  await expect(views).toBeVisible()
  held.resolve()
  await expect(page.locator('main:not([aria-busy])')).toHaveCount(1)
  await expect(views).toBeVisible()
})
