// The words of the public pages: what is promised, asked, and said while one waits.
import { expectAccessible } from './accessible.ts'
import { enter, makeUser, password, someone } from './users.ts'
import { expect, refusals, test } from './shop.ts'
import { expectToast } from './toast.ts'

// Nobody has changed the catalogue here.
test.use({ shopName: 'the shop of the words' })

test('the home page shows its sections in order', async ({ page }) => {
  await page.goto('/')
  await expect(page.locator('main').locator('h1:visible, h2:visible')).toHaveText([
    /Nine P.s/,
    'A blueprint for faith',
    'Read a Preview',
    "The Nine P's",
    'A personal invitation',
    'Get Your Copy Today',
    'Contact the Author',
    'Nine words. One foundation.',
  ])
  await expect(page.locator('main + footer')).toBeVisible()

  const hero = page.getByRole('region', { name: "Nine P's that Change Everything" })
  for (const name of ['Get the Book', 'Learn More'])
    await expect(hero.getByRole('link', { name })).toBeVisible()
  const words = page.getByRole('region', { name: "The Nine P's" }).getByRole('listitem')
  await expect(words.getByRole('heading')).toHaveText([
    'Propitiation',
    'Praise',
    'Provision',
    'Protection',
    'Peace',
    'Promise',
    'Power',
    'Perseverance',
    'Presence',
  ])
  await expect(words.locator('span')).toHaveText(Array.from({ length: 9 }, (_, index) => String(index + 1)))
  await expect(words.getByRole('paragraph')).toHaveText(Array.from({ length: 9 }, () => /^\S.+\.$/))
  const contact = page.getByRole('region', { name: 'Contact the Author' })
  await expect(contact.locator('form')).toBeVisible()
  await expect(contact.getByRole('heading', { level: 3 })).toHaveCount(2)
})

test('the purchase section says what is saved, how it is rated and what is promised', async ({ page }) => {
  await page.goto('/')
  const sales = page.getByRole('region', { name: 'Get Your Copy Today' })
  await expect(sales).toHaveId('book-sales')
  const bundle = sales
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: "Nine P's that Change Everything (Bundle)" }) })
  await expect(bundle.locator('s')).toHaveText('instead of $79.97')
  await expect(bundle.locator('s')).toHaveCSS('text-decoration-line', 'line-through')
  await expect(bundle.getByText('$49.97', { exact: true })).toBeVisible()
  for (const badge of ['Save $30', 'Best Value']) {
    await expect(bundle.getByText(badge, { exact: true })).toBeVisible()
    await expect(sales.getByText(badge, { exact: true })).toHaveCount(1)
  }
  await expect(sales.getByText('4.9 out of 5 stars', { exact: true })).toBeVisible()
  await expect(sales.getByRole('list').last().getByRole('listitem')).toHaveText([
    '30-day money-back guarantee',
    'Free shipping for physical items',
    'Instant download and PDF for digital',
    'Lifetime access',
    'Exclusive bonus for the bundle',
  ])
})

test('the formats stand in four columns, in two, and on a phone in one', async ({ page }) => {
  await page.goto('/')
  const buttons = page.locator('#book-sales').getByRole('button', { name: /^Buy / })
  await expect(buttons).toHaveCount(4)
  for (const [width, columns] of [
    [1360, 4],
    [800, 2],
    [390, 1],
  ] as const) {
    await page.setViewportSize({ width, height: 850 })
    const lefts = await buttons.evaluateAll((cards) => cards.map((card) => card.getBoundingClientRect().x))
    expect(new Set(lefts).size, `columns at ${width} px`).toBe(columns)
  }
})

test('products that come as nothing readable are an unexpected error', async ({ page }) => {
  const held = Promise.withResolvers<void>()
  await page.goto('/preview')
  await page.route('**/api/products', async (route) => {
    await held.promise
    await route.fulfill({ body: '<p>A stranger’s page</p>' })
  })
  await page.getByRole('link', { name: 'Back to the book' }).click()
  await expect(page.getByText('Loading products...', { exact: true })).toBeAttached()
  await expectAccessible(page)
  held.resolve()
  await expectToast(page, 'Error', 'An unexpected error occurred')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  await expectAccessible(page)
})

test('buying signed out leads to the sign-in, with its reason', async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Buy Hardcover' }).click()
  await expectToast(page, 'Authentication Required', 'Please sign in to purchase this product')
  await expect(page).toHaveURL(/\/auth\?next=%2F%3Fproduct%3D[0-9a-f-]{36}%23book-sales$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText("Nine P's that Change Everything")
  await expect(
    page.getByText('Sign in to access your purchases and downloads', { exact: true }),
  ).toBeVisible()
  await expect(page.getByRole('tab')).toHaveText(['Sign In', 'Sign Up'])
})

test('a purchase that is not recorded has failed: in the server’s words, or as unexpected', async ({
  page,
  shop,
  complaints,
}) => {
  await enter(page, shop, await makeUser(shop))
  await page.goto('/')
  const detail = 'This product is not for sale any more.'
  await page.route('**/api/purchases', (route) =>
    route.fulfill({ status: 410, json: { code: 'products.not_found', status: 410, detail } }),
  )
  await page.getByRole('button', { name: 'Buy Digital' }).click()
  await expectToast(page, 'Purchase Failed', detail)
  await page.unroute('**/api/purchases')
  await page.route('**/api/purchases?*', (route) => route.abort())
  await page.getByRole('button', { name: 'Buy Digital' }).click()
  await expectToast(page, 'Purchase Failed', 'An unexpected error occurred')
  await expect(page).toHaveURL(`${shop.url}/`)
  expect(refusals(complaints)).toHaveLength(2)
})

test('while one signs in or up the button says so, and an unreachable server is reported', async ({
  page,
  complaints,
}) => {
  for (const { path, name, busy, failed } of [
    { path: 'token', name: 'Sign In', busy: 'Signing In...', failed: 'Sign In Failed' },
    { path: 'signup', name: 'Sign Up', busy: 'Creating Account...', failed: 'Sign Up Failed' },
  ]) {
    const held = Promise.withResolvers<void>()
    await page.route(`**/auth/v1/${path}*`, async (route) => {
      await held.promise
      await route.abort()
    })
    await page.goto('/auth')
    await page.getByRole('tab', { name }).click()
    const form = page.getByRole('tabpanel', { name })
    await form.getByLabel('Email').fill(someone())
    for (const field of await form.locator('[type=password]').all()) await field.fill(password)
    await form.getByRole('button', { name, exact: true }).click()
    await expect(form.getByRole('button', { name: busy, exact: true })).toBeDisabled()
    await expect(form.getByRole('button', { name, exact: true })).toHaveCount(0)
    held.resolve()
    await expectToast(page, failed, 'An unexpected error occurred.')
    await expect(form.getByRole('button', { name, exact: true })).toBeEnabled()
  }
  expect(refusals(complaints)).toHaveLength(2)
})

test('an unknown path within the site shows its page once, and asks the server for no other', async ({
  page,
  shop,
}) => {
  await enter(page, shop, await makeUser(shop))
  const documents: string[] = []
  page.on('request', (request) => {
    if (request.resourceType() === 'document') documents.push(new URL(request.url()).pathname)
  })
  await page.goto('/auth?next=/no/such/page')
  await expect(page.getByRole('heading', { name: 'Oops! Page not found' })).toHaveCount(1)
  await expect(page.getByRole('banner')).toHaveCount(1)
  await expect(page).toHaveURL(`${shop.url}/no/such/page`)
  expect(documents).toEqual(['/auth'])
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await expect(page).toHaveURL(`${shop.url}/`)
})
