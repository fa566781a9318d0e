// The words behind the sign-in: on the dashboard, on the way to the admin area, and at it.
import type { Page } from '@playwright/test'
import { buy, enter, enterAdmin, makeUser, password, someone } from './users.ts'
import { expect, refusals, test, type Shop } from './shop.ts'
import { expectToast } from './toast.ts'

const ebook = { name: 'chapter.PDF', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4') }

test.use({ shopName: 'the shop of the words' })

test('the dashboard counts what was bought, and an empty one leads to the formats', async ({
  page,
  shop,
}) => {
  const email = await makeUser(shop)
  const session = await enter(page, shop, email)
  await page.goto('/dashboard')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Welcome, ${email}`)
  await expect(page.getByText('No purchases yet', { exact: true })).toBeVisible()
  await expectStats(page, ['0', '0', 'Active'])
  await page.getByRole('link', { name: 'Browse Products', exact: true }).click()
  await expect(page).toHaveURL(`${shop.url}/#book-sales`)
  await expect(page.getByRole('heading', { name: 'Get Your Copy Today' })).toBeInViewport()

  for (const format of ['digital', 'paperback', 'bundle']) await buy(shop, session, format)
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Your Purchases', exact: true })).toBeVisible()
  await expectStats(page, ['3', '2', 'Active'])
  await expect(page.getByRole('listitem').getByRole('heading')).toHaveText([
    /Bundle/,
    /Paperback/,
    /Change Everything$/,
  ])
})

test('a download says that it has started, or that there is none', async ({ page, shop }) => {
  const name = "Nine P's that Change Everything"
  await buy(shop, await enter(page, shop, await makeUser(shop)), 'digital')
  await page.goto('/dashboard')
  const saved = page.waitForEvent('download')
  const download = page.getByRole('button', { name: new RegExp(`^Download EPUB .*: ${name}$`) })
  await expect(download).toHaveText(/^Download EPUB \(\d+(\.\d)? [kM]B\)$/)
  await download.click()
  await expectToast(page, 'Download Started', `Downloading ${name}...`)
  await saved

  await page.route('**/api/purchases', async (route) => {
    const page = (await (await route.fetch()).json()) as { items: { product: object }[] }
    const items = page.items.map((each) => ({ ...each, product: { ...each.product, download_url: null } }))
    await route.fulfill({ json: { ...page, items } })
  })
  await page.reload()
  await download.click()
  await expectToast(page, 'Download Error', 'This product is not available for download')
})

test('the way to the admin area is shown to an admin, and to no other user', async ({
  page,
  shop,
  complaints,
}) => {
  const adminArea = page.getByRole('link', { name: /^Admin/ })
  await enterAdmin(page, shop, '/')
  await expect(adminArea).toHaveText('Admin')
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(adminArea).toHaveText('Admin Dashboard')
  await adminArea.click()
  await expect(page).toHaveURL(`${shop.url}/admin`)

  // What cannot be asked counts as no.
  await page.route('**/api/me', (route) => route.abort())
  await openAsked(page, shop, '/')
  await expect(adminArea).toHaveCount(0)
  expect(refusals(complaints)).toHaveLength(1)
  await page.unroute('**/api/me')
  await enter(page, shop, await makeUser(shop))
  for (const path of ['/', '/dashboard']) {
    await openAsked(page, shop, path)
    await expect(adminArea).toHaveCount(0)
  }
})

test('in the admin area, what fails with accounts is shown in the exact words', async ({
  page,
  shop,
  complaints,
}) => {
  await page.route('**/api/admin/users*', (route) => route.abort())
  await enterAdmin(page, shop, '/admin/users')
  await expectToast(page, 'Error', 'Failed to fetch user data')
  await page.unroute('**/api/admin/users*')

  const held = Promise.withResolvers<void>()
  await page.route('**/functions/v1/admin-create-user', async (route) => {
    await held.promise
    await route.abort()
  })
  await page.getByRole('button', { name: 'Add User' }).click()
  await page.getByLabel('Email').fill(someone())
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create User' }).click()
  await expect(page.getByRole('button', { name: 'Creating User...' })).toBeDisabled()
  held.resolve()
  await expectToast(page, 'Error', 'Failed to create user')
  expect(refusals(complaints)).toHaveLength(2)
  await page.getByRole('button', { name: 'Create User' }).evaluate((button: HTMLButtonElement) => {
    localStorage.clear()
    button.click()
  })
  await expectToast(page, 'Error', 'No active session')
})

test('an upload says what is missing, what it does not take, and that it failed', async ({
  page,
  shop,
  complaints,
}) => {
  await enterAdmin(page, shop, '/admin/upload')
  await page.getByLabel('Ebook file').setInputFiles({ ...ebook, name: 'chapter.docx' })
  await expectToast(page, 'Invalid File Type', 'Please upload a PDF, EPUB, or MOBI file.')
  await page.getByLabel('Ebook file').setInputFiles(ebook)
  await page.getByRole('button', { name: 'Upload Ebook' }).click()
  await expectToast(page, 'Missing Information', 'Please fill in all fields and select a file.')

  await page.route('**/api/admin/products', (route) => route.abort())
  await page.getByLabel('Title').fill('A Chapter')
  await page.getByLabel('Price ($)').fill('0')
  await page.getByRole('button', { name: 'Upload Ebook' }).click()
  await expectToast(page, 'Upload Failed', 'An unexpected error occurred.')
  await expect(page).toHaveURL(`${shop.url}/admin/upload`)
  expect(refusals(complaints)).toHaveLength(1)
})

test('a user who has neither name nor address is called so, and nobody at all is said plainly', async ({
  page,
  shop,
}) => {
  await page.route('**/api/admin/users*', async (route) => {
    const list = (await (await route.fetch()).json()) as { items: object[] }
    await route.fulfill({ json: { ...list, items: [{ ...list.items[0], email: null, display_name: null }] } })
  })
  await enterAdmin(page, shop, '/admin/users')
  const row = page.getByRole('row').last()
  await expect(row.getByText('Unknown User', { exact: true })).toBeVisible()
  await expect(row.getByText('No email', { exact: true })).toBeVisible()
  await expect(page.getByRole('columnheader')).toHaveText([
    'User',
    'Role',
    'Purchases',
    'Total Spent',
    'Last Purchase',
    'Joined',
  ])

  await page.unroute('**/api/admin/users*')
  await page.route('**/api/admin/users*', (route) =>
    route.fulfill({ json: { items: [], next: null, total: 0, shown: { count: 0, isMore: false } } }),
  )
  await page.reload()
  await expect(page.getByText('0 of 0 users', { exact: true })).toBeVisible()
  await expect(page.getByText('No users found', { exact: true })).toBeVisible()
  await expect(page.getByText('No users have registered yet', { exact: true })).toBeVisible()
  await page.getByPlaceholder('Search users...', { exact: true }).fill('nobody')
  await expect(page.getByText('Try adjusting your search terms', { exact: true })).toBeVisible()
})

async function expectStats(page: Page, values: string[]) {
  await expect(page.locator('dl dt')).toHaveText(['Total Purchases', 'Digital Downloads', 'Account Status'])
  await expect(page.locator('dl dd')).toHaveText(values)
}

/** Once it has been asked whether this is an admin, and a moment has passed for the page to follow. */
async function openAsked(page: Page, shop: Shop, path: string) {
  const asked = page.waitForRequest(`${shop.url}/api/me`)
  await page.goto(path)
  await (await asked).response()
  await page.waitForTimeout(200)
}
