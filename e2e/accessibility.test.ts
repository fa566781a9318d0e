// The shop for everyone: nothing found by axe, no sideways scrolling, the keyboard alone, less motion.
import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import { buy, enter, makeReader, password, someone } from './people.ts'
import { expect, refusals, test } from './shop.ts'

test('axe finds nothing on the pages for everyone, nor do they scroll sideways', async ({
  page,
  complaints,
}) => {
  for (const path of ['/', '/preview', '/nowhere']) {
    await page.goto(path)
    await expectAccessible(page)
  }
  expect(refusals(complaints)).toHaveLength(1)

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
  await expect(page.getByRole('heading', { name: 'Check your e-mail' })).toBeVisible()
  await expectAccessible(page)
})

test('axe finds nothing on a reader’s own pages and dialogs, nor do they scroll sideways', async ({
  page,
  shop,
}) => {
  const email = await makeReader(shop)
  const session = await enter(page, shop, email)
  await page.goto('/dashboard')
  await expect(page.getByText('No purchases yet')).toBeVisible()
  await expectAccessible(page)

  for (const format of ['digital', 'paperback', 'bundle']) await buy(shop, session, format)
  await page.reload()
  await expect(page.getByRole('listitem')).toHaveCount(3)
  await expectAccessible(page)

  await page.goto('/')
  await page
    .locator('#book-sales')
    .getByRole('button', { name: /paperback/i })
    .click()
  await expect(page.getByRole('dialog', { name: 'You have this one already' })).toBeVisible()
  await expectAccessible(page)
  await page.goto('/?token_hash=abc&type=signup')
  await expect(page.getByRole('dialog', { name: 'Confirm your e-mail address' })).toBeVisible()
  await expectAccessible(page)
})

test('with the keyboard alone one signs in, buys, and saves the book', async ({ page, shop }) => {
  const email = await makeReader(shop)
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
    page.getByRole('button', { name: "Download Nine P's that Change Everything", exact: true }),
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

test('who asks for less motion is moved at once, not gliding', async ({ page }) => {
  const stepsTo = async (name: string) => {
    await page.evaluate(() => {
      const steps = { count: 0 }
      Object.assign(globalThis, { steps })
      addEventListener('scroll', () => (steps.count += 1))
    })
    await page.getByRole('link', { name }).click()
    await expect(page.getByRole('heading', { name: 'Read a Preview' })).toBeInViewport()
    await page.waitForTimeout(300)
    return page.evaluate(() => (globalThis as unknown as { steps: { count: number } }).steps.count)
  }
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/')
  expect(await stepsTo('Learn More')).toBeGreaterThan(3)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/preview')
  await page.goto('/')
  expect(await stepsTo('Learn More')).toBeLessThanOrEqual(2)
})

/** In light and dark, on a desk and on a phone. */
async function expectAccessible(page: Page) {
  for (const width of [1360, 390]) {
    await page.setViewportSize({ width, height: 850 })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await settled(page)
      const { violations } = await new AxeBuilder({ page }).analyze()
      const findings = violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target }) => `${id}: ${String(target)}`),
      )
      expect(findings, `${page.url()} at ${width} px, ${colorScheme}`).toEqual([])
    }
  }
  for (const width of [360, 390]) {
    await page.setViewportSize({ width, height: 850 })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow, `${page.url()} scrolls sideways at ${width} px`).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize({ width: 1360, height: 850 })
}

/** Colours that are still changing are none that anybody reads. */
async function settled(page: Page) {
  await page.evaluate(async () => {
    const passing = document
      .getAnimations()
      .filter((each) => each.effect?.getTiming().iterations !== Infinity)
    await Promise.all(passing.map((each) => each.finished.catch(() => undefined)))
  })
}

async function tabTo(page: Page, place: Locator) {
  const isThere = () => place.evaluate((element) => element === document.activeElement)
  await place.waitFor()
  for (let presses = 0; presses < 80 && !(await isThere()); presses += 1) await page.keyboard.press('Tab')
  await expect(place).toBeFocused()
}
