// The shop for everyone: nothing found by axe, no sideways scrolling, the keyboard alone, less motion.
import type { Page } from '@playwright/test'
import { expectAccessible, tabTo } from './accessible.ts'
import { buy, enter, saveSession, makeUser, password, signIn, someone } from './users.ts'
import { admin, expect, refusals, test, type Shop } from './shop.ts'

test('axe finds nothing on public pages, nor do they scroll sideways', async ({ page, complaints }) => {
  for (const path of ['/', '/preview', '/nowhere']) {
    await page.goto(path)
    await expectAccessible(page)
  }
  expect(refusals(complaints)).toHaveLength(1)
})

test('axe finds nothing at any step of signing in and up, nor do they scroll sideways', async ({ page }) => {
  await page.goto('/auth')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Forgot password?' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Back to Sign In' }).click()
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  const form = page.getByRole('tabpanel', { name: 'Sign Up' })
  await form.getByLabel('Email').fill(someone())
  await form.getByLabel('Password', { exact: true }).fill(password)
  await form.getByLabel('Confirm Password').fill('another')
  await form.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByText('Password Mismatch')).toBeVisible()
  await expectAccessible(page)
  await form.getByLabel('Confirm Password').fill(password)
  await form.getByRole('button', { name: 'Sign Up' }).click()
  await expect(page.getByRole('heading', { name: 'Your account is not confirmed yet' })).toBeVisible()
  await expectAccessible(page)
})

test('axe finds nothing on a user’s own pages, nor do they scroll sideways', async ({ page, shop }) => {
  const email = await makeUser(shop)
  const session = await enter(page, shop, email)
  await page.goto('/dashboard')
  await expect(page.getByText('No purchases yet')).toBeVisible()
  await expectAccessible(page)

  for (const format of ['digital', 'paperback', 'bundle']) await buy(shop, session, format)
  await page.reload()
  await expect(page.getByRole('listitem')).toHaveCount(3)
  await expectAccessible(page)
  await page
    .getByRole('link', { name: /^Receipt for/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { name: 'Receipt' })).toBeVisible()
  await expectAccessible(page)
})

test('axe finds nothing in the dialogs of the front page, nor do they scroll sideways', async ({
  page,
  shop,
}) => {
  await buy(shop, await enter(page, shop, await makeUser(shop)), 'paperback')
  await page.goto('/')
  await page
    .locator('#book-sales')
    .getByRole('button', { name: /paperback/i })
    .click()
  await expect(page.getByRole('dialog', { name: 'You have this one already' })).toBeVisible()
  await expectAccessible(page)
  await page.goto('/?token_hash=abc&type=signup')
  await expect(page.getByRole('dialog', { name: 'Confirm your email address' })).toBeVisible()
  await expectAccessible(page)
})

test('with the keyboard alone one signs in, buys, and saves the book', async ({ page, shop }) => {
  const email = await makeUser(shop)
  await page.goto('/')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await tabTo(page, page.getByRole('link', { name: 'Sign In' }))
  await page.keyboard.press('Enter')

  await tabTo(page, page.getByRole('tab', { name: 'Sign In' }))
  await page.keyboard.press('ArrowRight')
  await expect(page.getByRole('tab', { name: 'Sign Up' })).toBeFocused()
  await expect(page.getByRole('tabpanel', { name: 'Sign Up' })).toBeVisible()
  await page.keyboard.press('ArrowLeft')
  const form = page.getByRole('tabpanel', { name: 'Sign In' })
  await tabTo(page, form.getByLabel('Email'))
  await page.keyboard.type(email)
  await tabTo(page, form.getByLabel('Password', { exact: true }))
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')

  await expect(page).toHaveURL(`${shop.url}/`)
  await tabTo(page, page.locator('#book-sales').getByRole('button', { name: /digital/i }))
  await page.keyboard.press('Space')
  await page.waitForURL('**/dashboard')
  await tabTo(
    page,
    page
      .getByRole('region', { name: 'Your Purchases' })
      .getByRole('button', { name: /^Download/ })
      .first(),
  )
  const saved = page.waitForEvent('download')
  await page.keyboard.press('Enter')
  expect((await saved).suggestedFilename()).toBe("Nine P's that Change Everything.epub")

  await page.goto('/')
  const again = page.locator('#book-sales').getByRole('button', { name: /digital/i })
  await tabTo(page, again)
  await page.keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: 'You have this one already' })
  await expect(question).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(question).toBeHidden()
  await expect(again).toBeFocused()
})

test('a user who asks for less motion is moved at once, not gliding', async ({ page }) => {
  const stepsTo = async (name: string) => {
    const steps = await page.evaluateHandle(() => {
      const places = new Set<number>()
      addEventListener('scroll', () => places.add(scrollY))
      const ended = new Promise((resolve) => addEventListener('scrollend', resolve, { once: true }))
      return { places, ended }
    })
    await page.getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { name: 'Read a Preview' })).toBeInViewport()
    return steps.evaluate(async ({ places, ended }) => {
      await ended
      return places.size
    })
  }
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/')
  expect(await stepsTo('Learn More')).toBeGreaterThan(2)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/preview')
  await page.goto('/')
  expect(await stepsTo('Learn More')).toBeLessThanOrEqual(2)
})

const adminViews = [
  '',
  '/users',
  '/purchases',
  '/shipping',
  '/sales',
  '/products',
  '/products/new',
  '/upload',
  '/messages',
  '/audit',
  '/security',
]
test('axe finds nothing in the admin area, full as it is, nor does it scroll sideways', async ({
  page,
  shop,
}) => {
  await fillAdmin(page, shop)
  for (const view of adminViews) {
    await openAdmin(page, view)
    await expectAccessible(page)
  }
})

test('axe finds nothing at what lists of the admin area lead to, nor does it scroll sideways', async ({
  page,
  shop,
}) => {
  await fillAdmin(page, shop)
  for (const [list, first] of [
    ['/users?q=reader', /^user|Unknown User/],
    ['/purchases', /Nine P/],
    ['/products', /Nine P/],
  ] as const) {
    await openAdmin(page, list)
    await page.getByRole('main').getByRole('link', { name: first }).first().click()
    await expect(page).toHaveURL(/\/[0-9a-f-]{36}$/)
    await expectAccessible(page)
  }
  await page.goto('/admin/payments')
  await expect(page.getByText('Nothing needs attention')).toBeVisible()
  await expectAccessible(page)
  await page.goto('/admin/purchases')
  await page
    .getByRole('main')
    .getByRole('link', { name: /Nine P/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { name: 'Downloads' })).toBeVisible()
  await page.goto(`${page.url()}/evidence`)
  await expect(page.getByRole('heading', { name: 'Evidence for a purchase' })).toBeVisible()
  await expectAccessible(page)
})

test('an admin changes a role with the keyboard alone', async ({ page, shop }) => {
  const email = await makeUser(shop)
  await saveSession(page, JSON.stringify(await signIn(shop, admin)))
  await page.goto('/admin/users')
  await tabTo(page, page.getByPlaceholder('Search users...'))
  await page.keyboard.type(email)
  await expect(page.getByText(/^1 of/)).toBeVisible()
  await tabTo(page, page.getByRole('link', { name: 'Unknown User' }))
  await page.keyboard.press('Enter')
  await tabTo(page, page.getByRole('button', { name: 'Take away the role user' }))
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await tabTo(page, dialog.getByRole('button', { name: 'Take away' }))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Give the role user' })).toBeVisible()
})

/** Sold to a user, and visited by the author. */
async function fillAdmin(page: Page, shop: Shop) {
  const session = await signIn(shop, { email: await makeUser(shop), password })
  for (const format of ['digital', 'hardcover']) await buy(shop, session, format)
  await saveSession(page, JSON.stringify(await signIn(shop, admin)))
}

async function openAdmin(page: Page, view: string) {
  await page.goto(`/admin${view}`)
  await expect(page.getByRole('main')).not.toHaveAttribute('aria-busy')
}
