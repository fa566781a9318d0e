// What every page must stand: axe in light and dark and at two widths, no scrolling sideways, the Tab key.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from '@playwright/test'
import type axe from 'axe-core'
import { expect, test } from './shop.ts'

/** Half as long as what the package exports as its source: each page that is looked at compiles it. */
const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Each width and each colour scheme once: the pairs not looked at have the same elements or the same colours. */
const looks = [
  { width: 1360, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
] as const

export async function expectAccessible(page: Page) {
  // The time that axe takes is not the journey's.
  test.setTimeout(test.info().timeout + 60_000)
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  for (const { width, colorScheme } of looks) {
    await page.setViewportSize({ width, height: 850 })
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await settled(page)
    const findings = await findViolations(page)
    // All states of a walk are looked at, also after a finding.
    expect.soft(findings, `${page.url()} at ${width} px, ${colorScheme}`).toEqual([])
  }
  // At the narrow width of the last look.
  expect.soft(await findSmallFields(page), `${page.url()} has fields below 16 px at 360 px`).toEqual([])
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect.soft(overflow, `${page.url()} scrolls sideways at 360 px`).toBeLessThanOrEqual(0)
  await page.setViewportSize({ width: 1360, height: 850 })
}

/** By axe itself in the page: the way through its package for Playwright takes three times as long. */
function findViolations(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe
    const { violations } = await run(document, { resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${String(target)}`))
  })
}

/** Safari on iPhones enlarges the page when one of them is entered. */
function findSmallFields(page: Page): Promise<string[]> {
  const typed = 'input:not([type=checkbox], [type=radio], [type=file], [type=color]), select, textarea'
  return page.evaluate((fields) => {
    const isSmall = (field: Element) =>
      field.checkVisibility() && Number.parseFloat(getComputedStyle(field).fontSize) < 16
    return [...document.querySelectorAll(fields)].filter(isSmall).map(({ outerHTML }) => outerHTML)
  }, typed)
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

/** Moves the focus there by the Tab key; an element that cannot be reached fails the test. */
export async function tabTo(page: Page, place: Locator) {
  const isThere = () => place.evaluate((element) => element === document.activeElement)
  await place.waitFor()
  for (let presses = 0; presses < 80 && !(await isThere()); presses += 1) await page.keyboard.press('Tab')
  await expect(place).toBeFocused()
}
