// The admin area's first view, from an empty shop to one that sells.
import { expectAccessible } from './accessible.ts'
import { buy, enterAdmin, makeUser, password, post, signIn, someone } from './users.ts'
import { admin, expect, refusals, test } from './shop.ts'

// Nobody has bought here yet.
test.use({ shopName: 'the shop without purchases' })
test.describe.configure({ mode: 'serial' })

test('a new shop says what is still to be done, and that no money is taken', async ({ page, shop }) => {
  await enterAdmin(page, shop)
  await expect(page.getByText('Purchases will appear here once customers start buying')).toBeVisible()
  await expect(page.getByText(/^No money is taken:/)).toBeVisible()
  await expect(page.getByText(`The shop’s address, ${shop.url}, has no https`)).toBeVisible()
  await expect(page.getByText('Visitors may not reach the shop')).toHaveCount(0)
  await expect(page.getByText('1 of 6 done')).toBeVisible()
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Bring your book', exact: true }).click()
  await expect(page).toHaveURL('/admin/setup')
})

test('the figures follow what was bought, and a step ticks itself off', async ({ page, shop }) => {
  const named = someone()
  const session = await signIn(shop, admin)
  await post(
    shop,
    '/functions/v1/admin-create-user',
    { email: named, password, displayName: 'Lydia of Thyatira' },
    session.access_token,
  )
  const unnamed = await makeUser(shop)
  await buy(shop, await signIn(shop, { email: unnamed, password }), 'paperback')
  await buy(shop, await signIn(shop, { email: named, password }), 'digital')

  await enterAdmin(page, shop)
  const card = (name: string) => page.locator('dl > div').filter({ hasText: name })
  await expect(card('Total Revenue')).toContainText('$39.98')
  await expect(card('Registered accounts')).toContainText(/Total Users\s*3/)
  await expect(card('All time purchases')).toContainText(/Total Purchases\s*2/)
  await expect(card('Completed purchases').filter({ hasText: 'Downloads' })).toContainText(/Downloads\s*2/)

  const recent = page.locator('section').filter({ hasText: 'Recent Purchases' }).getByRole('listitem')
  await expect(recent).toHaveCount(2)
  const [newest, older] = [recent.first(), recent.last()]
  for (const part of [
    "Nine P's that Change Everything",
    'Customer: Lydia of Thyatira',
    '$14.99',
    dayOf(new Date()),
  ])
    await expect(newest).toContainText(part)
  await expect(newest).toContainText(/digital/i)
  await expect(newest).toContainText(/completed/i)
  await expect(older).toContainText(`Customer: ${unnamed}`)

  await expect(page.getByText('1 of 6 done')).toBeVisible()
  await buy(shop, session, 'digital')
  await page.reload()
  await expect(page.getByText('2 of 6 done')).toBeVisible()
  await expect(page.getByText('Buy your own book once: done')).toBeVisible()
  await expectAccessible(page)
})

test('figures that cannot be had are said to be missing, and come at the next try', async ({
  page,
  shop,
  complaints,
}) => {
  await page.route('**/api/admin/sales', (route) => route.abort())
  await enterAdmin(page, shop)
  await expect(page.getByText('Failed to fetch sales data')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'The figures could not be loaded' })).toBeVisible()
  await expectAccessible(page)
  await page.unroute('**/api/admin/sales')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('Total Revenue')).toBeVisible()
  expect(refusals(complaints).length).toBeGreaterThan(0)
})

/** "Nov 05, 2026", where this browser is. */
function dayOf(date: Date): string {
  return date.toLocaleDateString('en-US', { year: 'numeric', month: 'short', day: '2-digit' })
}
