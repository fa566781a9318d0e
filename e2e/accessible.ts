// What every page must stand: axe in light and dark and each width, no scrolling sideways, the Tab key.
import type { Locator, Page } from '@playwright/test'
import axe from 'axe-core'
import { expect, test } from './shop.ts'

type Look = { width: number; colorScheme: 'light' | 'dark'; rules?: string[] }

const colours = ['color-contrast', 'link-in-text-block']

/** On a desk, on a phone, and both in the dark, which changes nothing but colours. */
const looks: Look[] = [
  { width: 1360, colorScheme: 'light' },
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark', rules: colours },
  { width: 1360, colorScheme: 'dark', rules: colours },
]

export async function expectAccessible(page: Page) {
  // The looks of axe are no part of what a journey is given its minute for.
  test.setTimeout(test.info().timeout + 30_000)
  await page.evaluate(axe.source)
  for (const { width, colorScheme, rules } of looks) {
    await page.setViewportSize({ width, height: 850 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await settled(page)
    const findings = await look(page, rules)
    expect(findings, `${page.url()} at ${width} px, ${colorScheme}`).toEqual([])
  }
  for (const width of [360, 390]) {
    await page.setViewportSize({ width, height: 850 })
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    expect(overflow, `${page.url()} scrolls sideways at ${width} px`).toBeLessThanOrEqual(0)
  }
  await page.setViewportSize({ width: 1360, height: 850 })
}

/** By axe itself in the page: the way through its package for Playwright takes three times as long. */
function look(page: Page, rules: string[] | undefined): Promise<string[]> {
  return page.evaluate(async (runOnly) => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe
    const { violations } = await run(document, { resultTypes: ['violations'], ...(runOnly && { runOnly }) })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${String(target)}`))
  }, rules)
}

/** Colours that are still changing are none that anybody reads. One change may begin with the end of another. */
async function settled(page: Page) {
  await page.evaluate(async () => {
    const nextPicture = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const isPassing = (each: Animation) =>
      each.playState === 'running' && each.effect?.getTiming().iterations !== Infinity
    for (let calm = 0, pictures = 0; calm < 3 && pictures < 60; pictures += 1) {
      await nextPicture()
      const passing = document.getAnimations().filter(isPassing)
      calm = passing.length > 0 ? 0 : calm + 1
      await Promise.race([Promise.allSettled(passing.map(({ finished }) => finished)), nextPicture()])
    }
  })
}

/** Goes there as the keyboard does; whoever cannot be reached fails the journey. */
export async function tabTo(page: Page, place: Locator) {
  const isThere = () => place.evaluate((element) => element === document.activeElement)
  await place.waitFor()
  for (let presses = 0; presses < 80 && !(await isThere()); presses += 1) await page.keyboard.press('Tab')
  await expect(place).toBeFocused()
}
