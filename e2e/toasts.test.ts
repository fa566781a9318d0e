// A toast stands in the corner, above an open dialog, and hides nothing for good that can be pressed.
import type { Page, Route } from '@playwright/test'
import { part } from './part.ts'
import { expect, refusals, test } from './shop.ts'
import { enterAdmin } from './users.ts'

for (const [device, viewport] of [
  ['a phone', { width: 390, height: 844 }],
  ['a desktop', { width: 1360, height: 900 }],
] as const) {
  const isPhone = viewport.width < 640

  test(`on ${device} a toast hides nothing that can be pressed, and can be pressed itself`, async ({
    page,
    shop,
    complaints,
  }) => {
    await part(page, 'it stands in the corner, and the page can be scrolled out from under it', async () => {
      await page.setViewportSize(viewport)
      await page.goto('/')
      await page.route('**/api/contact', (route) => route.abort())
      for (const label of ['Name', 'Email', 'Subject', 'Message'])
        await page.locator('#contact').getByLabel(label, { exact: true }).fill('ruth@example.com')
      const send = page.getByRole('button', { name: 'Send Message' })
      // At the lower edge, where the toast comes.
      await send.evaluate((button) => button.scrollIntoView({ block: 'end', behavior: 'instant' }))
      await send.focus()
      await page.keyboard.press('Enter')
      const toast = page.locator('.toasts > *')
      await expect(toast).toContainText('Failed to Send Message')
      await toast.hover()
      const box = (await toast.boundingBox())!
      expect(Math.round(viewport.width - box.x - box.width)).toBe(16)
      expect(Math.round(viewport.height - box.y - box.height)).toBe(16)
      await expect.poll(() => coveredParts(page, ':focus')).toBe(0)
      await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }))
      expect(await coveredParts(page, 'footer a, footer button')).toBe(0)
      expect(refusals(complaints)).toHaveLength(1)
    })

    const openPaperback = async () => {
      await page.setViewportSize(viewport)
      await enterAdmin(page, shop, '/admin/products')
      await page
        .getByRole('main')
        .getByRole('link', { name: /Paperback/ })
        .first()
        .click()
    }
    await part(page, 'good news waits until a dialog is closed', async () => {
      await openPaperback()
      await page.getByRole('button', { name: 'Save', exact: true }).first().click()
      const toast = page.locator('.toasts > *')
      await expect(toast).toContainText('Product saved')
      await page.getByRole('button', { name: 'Archive' }).click()
      const dialog = page.getByRole('dialog')
      await expect(dialog).toBeVisible()
      await expect(toast).toHaveCount(0)
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await expect(toast).toContainText('Product saved')
      await toast.getByRole('button', { name: 'Close', exact: true }).click()
    })

    await part(page, 'a failure stands above an open dialog and can be pressed there', async () => {
      await openPaperback()
      const isRead = (route: Route) => route.request().method() === 'GET'
      await page.route('**/api/admin/products/*', (route) =>
        isRead(route) ? route.fallback() : route.abort(),
      )
      await page.getByLabel('Description').fill('Changed.')
      await page.getByRole('button', { name: 'Save', exact: true }).first().click()
      const toast = page.locator('.toasts > *')
      await expect(toast).toContainText('Couldn’t save')
      await page.getByRole('button', { name: 'Archive' }).click()
      const dialog = page.getByRole('dialog')
      await expect(dialog.locator('.toasts > *')).toContainText('Couldn’t save')
      await toast.hover()
      await expect(toast).toHaveCount(1)
      const box = (await toast.boundingBox())!
      expect(Math.round(isPhone ? box.y : viewport.height - box.y - box.height)).toBe(16)
      await toast.getByRole('button', { name: 'Close', exact: true }).click()
      await expect(toast).toHaveCount(0)
      await expect(dialog).toBeVisible()
      expect(refusals(complaints)).toHaveLength(1)
    })
  })
}

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

/** How many of these a toast lies on. */
function coveredParts(page: Page, selector: string): Promise<number> {
  return page.evaluate((which) => {
    const isUnder = (control: Element) => {
      const { left, top, width, height } = control.getBoundingClientRect()
      const points = [0.1, 0.5, 0.9].map((part) => [left + width * part, top + height / 2] as const)
      return width > 0 && points.some(([x, y]) => document.elementFromPoint(x, y)?.closest('.toasts'))
    }
    return [...document.querySelectorAll(which)].filter(isUnder).length
  }, selector)
}
