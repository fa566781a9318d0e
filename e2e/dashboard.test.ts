// How the dashboard waits, fails and comes back.
import { expectAccessible } from './accessible.ts'
import { buy, enter, makeUser, post } from './users.ts'
import { expect, refusals, test } from './shop.ts'
import { expectToast } from './toast.ts'

test('coming from within the site, the dashboard is there at once, its purchases on their way', async ({
  page,
  shop,
}) => {
  const email = await makeUser(shop)
  await buy(shop, await enter(page, shop, email), 'digital')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/purchases', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto('/')
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expect(page).toHaveURL(`${shop.url}/dashboard`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Welcome, ${email}`)
  const waiting = page.getByText('Loading your purchases...')
  await expect(waiting).toBeAttached()
  await expectAccessible(page)
  held.resolve()
  await expect(page.getByRole('listitem')).toHaveCount(1)
  await expect(waiting).toHaveCount(0)
  const advice = page.getByText('upload it at Send to Kindle')
  await page.getByText('How to read it').click()
  await expect(advice).toBeVisible()
  await expectAccessible(page)
})

test('a session that was ended elsewhere shows nobody’s dashboard, from within the site either', async ({
  page,
  shop,
  complaints,
}) => {
  const { access_token } = await enter(page, shop, await makeUser(shop))
  await page.goto('/')
  await post(shop, '/auth/v1/logout?scope=global', {}, access_token)
  // The way to the sign-in is long enough for whatever would be shown meanwhile.
  await page.route('**/assets/auth-*.js', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 800))
    await route.continue()
  })
  const failures = await page.evaluateHandle(() => {
    const seen: string[] = []
    const look = () => seen.push(...(document.body.innerText.match(/could not be loaded/g) ?? []))
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
    return seen
  })
  await page.getByRole('link', { name: 'Dashboard', exact: true }).click()
  await expectToast(page, 'Signed Out', 'Your session has ended. Please sign in again.')
  await expect(page).toHaveURL(`${shop.url}/auth?next=/dashboard`)
  await page.goBack()
  await expect(page).toHaveURL(`${shop.url}/`)
  expect(await failures.jsonValue()).toEqual([])
  expect(refusals(complaints).length).toBeGreaterThan(0)
})

test('a user who signs out while the purchases are on their way is told so once', async ({ page, shop }) => {
  await enter(page, shop, await makeUser(shop))
  const held = Promise.withResolvers<void>()
  await page.route('**/api/purchases', async (route) => {
    await held.promise
    await route.continue().catch(() => undefined)
  })
  const asked = page.waitForRequest('**/api/purchases')
  await page.goto('/dashboard')
  await asked
  const ended = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/purchases'))
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page.getByText('Signed Out', { exact: true })).toBeVisible()
  await ended
  held.resolve()
  await page.waitForTimeout(300)
  // Counted at once: a notice goes by itself, and waiting for one to be left would always end well.
  expect(await page.getByText('Signed Out', { exact: true }).count()).toBe(1)
  await expect(page).toHaveURL(`${shop.url}/`)
})

test('purchases that cannot be had are told of, and come at the next try', async ({
  page,
  shop,
  complaints,
}) => {
  await buy(shop, await enter(page, shop, await makeUser(shop)), 'digital')
  await page.route('**/api/purchases', (route) => route.abort())
  await page.goto('/dashboard')
  await expectToast(page, 'Error', 'Failed to fetch purchases')
  await expect(page.getByRole('heading', { name: 'Your purchases could not be loaded' })).toBeVisible()
  expect(refusals(complaints)).toHaveLength(1)
  await expectAccessible(page)

  await page.unroute('**/api/purchases')
  await page.route('**/api/purchases', (route) => route.fulfill({ body: '<p>A stranger’s page</p>' }))
  await page.getByRole('button', { name: 'Try again' }).click()
  await expectToast(page, 'Error', 'An unexpected error occurred')

  const held = Promise.withResolvers<void>()
  await page.unroute('**/api/purchases')
  await page.route('**/api/purchases', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('button', { name: 'Loading...' })).toBeDisabled()
  held.resolve()
  await expect(page.getByRole('listitem')).toHaveCount(1)
})

test('a long list of purchases begins with a page, shows more when asked, and counts all of them', async ({
  page,
  shop,
}) => {
  await buy(shop, await enter(page, shop, await makeUser(shop)), 'digital')
  await page.route(/\/api\/purchases(\?.*)?$/, async (route) => {
    const after = new URL(route.request().url()).searchParams.get('after')
    const { items } = (await (await route.fetch({ url: `${shop.url}/api/purchases` })).json()) as {
      items: object[]
    }
    const first = Number(after ?? 0)
    const many = Array.from({ length: first === 20 ? 5 : 10 }, (_, n) => ({
      ...items[0],
      id: String(first + n),
    }))
    const next = first === 20 ? null : String(first + 10)
    await route.fulfill({ json: { items: many, next, totals: { purchases: 120, digital: 119 } } })
  })
  await page.goto('/dashboard')
  await expect(page.getByRole('listitem')).toHaveCount(10)
  await expect(page.getByText('Total Purchases').locator('..')).toContainText('120')
  await expect(page.getByText('Digital Downloads').locator('..')).toContainText('119')
  const more = page.getByRole('button', { name: 'Show more' })
  await more.press('Enter')
  await expect(page.getByRole('listitem')).toHaveCount(20)
  await expect(page.getByRole('list', { name: 'Earlier purchases' })).toBeFocused()
  await more.click()
  await expect(page.getByRole('listitem')).toHaveCount(25)
  await expect(more).toHaveCount(0)
  await expectAccessible(page)
})
