// A toast never lies on what is pressed next: on a phone and on a desktop, on every screen that says something.
import type { Page } from '@playwright/test'
import { expect, refusals, test } from './shop.ts'
import { buy, enter, enterAdmin, makeUser, password } from './users.ts'

for (const [device, viewport] of [
  ['a phone', { width: 390, height: 844 }],
  ['a small phone', { width: 360, height: 640 }],
  ['a desktop', { width: 1360, height: 900 }],
] as const)
  test(`on ${device} toasts leave forms, buttons and links free`, async ({ page, shop, complaints }) => {
    await page.setViewportSize(viewport)
    await page.goto('/auth')
    const form = page.getByRole('tabpanel', { name: 'Sign In' })
    await form.getByLabel('Email').fill('nobody@example.com')
    await form.getByLabel('Password', { exact: true }).fill('not the password')
    await form.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByText('Sign In Failed')).toBeVisible()
    await expectNothingCovered(page)
    await page.getByRole('button', { name: 'Forgot password?' }).click()
    await expectNothingCovered(page)
    expect(refusals(complaints)).toHaveLength(1)

    const email = await makeUser(shop)
    await page.goto('/')
    await page.getByRole('button', { name: /^Buy .*Bundle/ }).click()
    await expect(page.getByText('Authentication Required')).toBeVisible()
    await expectNothingCovered(page)
    await expect(page.getByRole('region', { name: 'The product you chose' })).toBeVisible()
    // A phone has no room beside it.
    if (viewport.width > 1000) await expectNothingCovered(page, '[data-keep-clear]')
    await form.getByLabel('Email').fill(email)
    await form.getByLabel('Password', { exact: true }).fill(password)
    await form.getByRole('button', { name: 'Sign In' }).click()
    await expect(page.getByText('Welcome back!')).toBeVisible()
    await expect(page.getByText('Authentication Required')).toHaveCount(0)
    await expect(page.getByRole('button', { name: /^Buy .*Bundle/ })).toBeFocused()
    await expectNothingCovered(page)

    await page.evaluate(() => localStorage.clear())
    await page.goto('/')
    await page.route('**/api/contact', (route) => route.abort())
    for (const label of ['Name', 'Email', 'Subject', 'Message'])
      await page.locator('#contact').getByLabel(label, { exact: true }).fill('ruth@example.com')
    await page.getByRole('button', { name: 'Send Message' }).click()
    await expect(page.getByText('Failed to Send Message')).toBeVisible()
    // The fields of this form fill a small phone: there the buttons stay free.
    await expectNothingCovered(page, viewport.height < 800 ? 'a[href], button' : undefined)
    await page.unroute('**/api/contact')
    expect(refusals(complaints)).toHaveLength(1)

    const session = await enter(page, shop, await makeUser(shop))
    await buy(shop, session, 'digital')
    await buy(shop, session, 'bundle')
    await page.goto('/dashboard')
    await page
      .getByRole('button', { name: /^Download/ })
      .first()
      .click()
    await expect(page.getByText('Download Started')).toBeVisible()
    await expectNothingCovered(page)
    await page.goto('/admin')
    await expect(page.getByText('Access Denied')).toBeVisible()
    await expectNothingCovered(page)
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page.getByText('Signed Out', { exact: true })).toBeVisible()
    await expectNothingCovered(page)

    await enterAdmin(page, shop)
    for (const path of ['users', 'products', 'shipping', 'messages', 'upload']) {
      await page.goto(`/admin/${path}`)
      const views = page.getByRole('navigation', { name: 'Views' })
      const menu = page.getByRole('button', { name: /^Menu/ })
      await expect(page.locator('main:not([aria-busy])')).toBeVisible()
      if (await menu.isVisible()) await menu.click()
      await page.route('**/api/admin/**', (route) => route.abort())
      await views.getByRole('link', { name: 'Purchases' }).click()
      await expect(page.locator('[role=status]').getByText('Error', { exact: true })).toBeVisible()
      await expectNothingCovered(page)
      await page.unroute('**/api/admin/**')
    }
    refusals(complaints)
  })

test('a toast is held while it is pointed at, pushed away by a swipe, and closed by its button', async ({
  page,
}) => {
  await page.goto('/auth')
  await page.getByRole('tab', { name: 'Sign Up' }).click()
  const form = page.getByRole('tabpanel', { name: 'Sign Up' })
  const complain = async () => {
    await form.getByLabel('Email').fill('ruth@example.com')
    await form.getByLabel('Password', { exact: true }).fill('nine')
    await form.getByLabel('Confirm Password').fill('ten')
    await form.getByRole('button', { name: 'Sign Up' }).click()
  }
  await complain()
  const toast = page.locator('[role=status]').getByText('Password Mismatch')
  await toast.hover()
  await toast.evaluate((words) => {
    const touch = (type: string, clientX: number) =>
      words.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType: 'touch', clientX }))
    touch('pointerdown', 200)
    touch('pointerup', 90)
  })
  await expect(toast).toHaveCount(0)
  await complain()
  await page.getByRole('button', { name: 'Close', exact: true }).click()
  await expect(toast).toHaveCount(0)
})

test('a toast looks at the controls when the page changes, and not while it rests', async ({
  page,
  complaints,
}) => {
  await page.setViewportSize({ width: 390, height: 600 })
  await page.goto('/')
  await page.evaluate(() => {
    const styleOf = getComputedStyle
    window.getComputedStyle = (...args) => {
      performance.mark('style')
      return styleOf(...args)
    }
  })
  const looks = () => page.evaluate(() => performance.getEntriesByName('style').length)
  await page.route('**/api/contact', (route) => route.abort())
  for (const label of ['Name', 'Email', 'Subject', 'Message'])
    await page.locator('#contact').getByLabel(label, { exact: true }).fill('ruth@example.com')
  await page.getByRole('button', { name: 'Send Message' }).click()
  await expect(page.getByText('Failed to Send Message')).toBeVisible()
  await page.waitForTimeout(1000)
  const before = await looks()
  await page.waitForTimeout(1000)
  expect(await looks()).toBe(before)
  expect(before).toBeGreaterThan(0)
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }))
  await expect.poll(looks).toBeGreaterThan(before)
  await expectNothingCovered(page, 'a[href], button')
  expect(refusals(complaints)).toHaveLength(1)
})

/** Whatever can be pressed in the window is what a press on its middle meets, and no toast. */
async function expectNothingCovered(page: Page, which = 'a[href], button, input, select, textarea, summary') {
  const covered = () =>
    page.evaluate((selector) => {
      const controls = document.querySelectorAll<HTMLElement>(selector)
      return [...controls]
        .filter((control) => !control.closest('[role=status]'))
        .filter((control) => {
          const { left, top, width, height } = control.getBoundingClientRect()
          if (width === 0) return false
          const points = [0.1, 0.5, 0.9].map((part) => [left + width * part, top + height / 2] as const)
          return points.some(([x, y]) =>
            document.elementFromPoint(x, y)?.closest('[role=status]')?.classList.contains('fixed'),
          )
        })
        .map((control) => control.textContent || control.getAttribute('aria-label') || control.tagName)
    }, which)
  await expect.poll(covered).toEqual([])
}
