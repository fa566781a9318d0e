// A book in Arabic: pages, dialogs and notices hold their layout when they run from right to left.
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { payHere } from './paying.ts'
import { expect, test } from './shop.ts'
import { findClipped, openIn } from './translations.ts'
import { enter, makeUser } from './users.ts'

test.use({ shopName: 'a shop from right to left', takesMoney: true })

test.beforeAll(({ shop }) => openIn(shop, 'ar'))

/** Where the eye begins, at the right, stands what is first; what closes something stands at its other end. */
async function expectMirrored(page: Page) {
  for (const width of [390, 1360]) {
    await page.setViewportSize({ width, height: 850 })
    const place = `${page.url()} at ${width} px`
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), place).toBe(0)
    expect(await findClipped(page), place).toEqual([])
    expect(await page.evaluate(findWrongSides), place).toEqual([])
  }
}

/** Icons in a corner or a field, and columns of sums, that lie over words or on the side where words begin. */
function findWrongSides(): string[] {
  const corners = [...document.querySelectorAll('button.absolute, svg.absolute')].filter((element) =>
    element.checkVisibility(),
  )
  const inCorners = corners.filter((element) => {
    const own = element.getBoundingClientRect()
    const around = (element.parentElement ?? element).getBoundingClientRect()
    return own.left - around.left > around.right - own.right
  })
  const lists = [...document.querySelectorAll('th, td, dt, dd, p, li, h1, h2, h3')].filter(
    (element) => element.checkVisibility() && getComputedStyle(element).textAlign === 'left',
  )
  return [...inCorners, ...lists].map(
    (element) => `${element.tagName} ${element.getAttribute('class')} ${element.textContent}`,
  )
}

test('pages, the dialog of a purchase, the dashboard and the account', async ({ page, shop }) => {
  for (const path of ['/', '/preview', '/terms', '/auth']) {
    await page.goto(path)
    await expect(page.locator('html')).toHaveAttribute('dir', 'rtl')
    await expectMirrored(page)
  }
  await page.goto('/')
  await page.getByRole('button', { name: 'Buy Digital' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectMirrored(page)
  await expectAccessible(page)

  await enter(page, shop, await makeUser(shop))
  await page.goto('/')
  await page.getByRole('button', { name: 'Buy Digital' }).click()
  await page.waitForURL('**/pay/cs_test_*')
  await payHere(page)
  await page.waitForURL('**/dashboard*')
  await expect(page.getByText('Purchase Successful!')).toBeVisible()
  await expectMirrored(page)
  await expectAccessible(page)
  await page.getByRole('link', { name: 'Your receipt', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Receipt', exact: true })).toBeVisible()
  await expectMirrored(page)
  await page.goto('/account')
  await expect(page.getByLabel('Display name')).toBeVisible()
  await expectMirrored(page)
  await expectAccessible(page)
})
