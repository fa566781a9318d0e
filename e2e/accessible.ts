// What every page must stand: axe in each light and width, no scrolling sideways, the Tab key.
import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './shop.ts'

/** In light and dark, on a desk and on a phone. */
export async function expectAccessible(page: Page) {
  // Four looks of axe are no part of what a journey is given its minute for.
  test.setTimeout(test.info().timeout + 30_000)
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

/** Goes there as the keyboard does; whoever cannot be reached fails the journey. */
export async function tabTo(page: Page, place: Locator) {
  const isThere = () => place.evaluate((element) => element === document.activeElement)
  await place.waitFor()
  for (let presses = 0; presses < 80 && !(await isThere()); presses += 1) await page.keyboard.press('Tab')
  await expect(place).toBeFocused()
}
