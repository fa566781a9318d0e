// What every page must stand: axe, at a second width where that shows something else; no scrolling sideways; the Tab key.
// The page is looked at in light: tokens.test.ts proves that the colors of the dark are as readable.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Locator, Page } from '@playwright/test'
import type axe from 'axe-core'
import { expect, test } from './shop.ts'

/** Half as long as what the package exports as its source: each page that is looked at compiles it. */
const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const wide = { width: 1360, height: 850 }
const narrow = { width: 360, height: 850 }

/** What the narrow look shows or hides and axe has seen so in this worker: the menu of the admin area once, not on each screen. */
const knownDifferences = new Set<string>()

/** This rule asks what fits, which the width alone can change. */
const rulesOfWidth = ['scrollable-region-focusable']

export async function expectAccessible(page: Page) {
  // The time that axe takes is not the journey's.
  test.setTimeout(test.info().timeout + 60_000)
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource)
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  await lookAt(page, wide)
  const shownWide = await findShown(page)
  await page.setViewportSize(narrow)
  await settled(page)
  const shownNarrow = await findShown(page)
  const differences = [...shownWide, ...shownNarrow].filter(
    (each) => !shownWide.has(each) || !shownNarrow.has(each),
  )
  const isKnown = differences.every((each) => knownDifferences.has(each))
  for (const each of differences) knownDifferences.add(each)
  await lookAt(page, narrow, isKnown ? rulesOfWidth : undefined)
  expect.soft(await findSmallFields(page), `${page.url()} has fields below 16 px at 360 px`).toEqual([])
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  expect.soft(overflow, `${page.url()} scrolls sideways at 360 px`).toBeLessThanOrEqual(0)
  await page.setViewportSize(wide)
}

/** All states of a walk are looked at, also after a finding. */
async function lookAt(page: Page, size: typeof wide, rules?: string[]) {
  await page.setViewportSize(size)
  await settled(page)
  expect.soft(await findViolations(page, rules), `${page.url()} at ${size.width} px`).toEqual([])
}

/** Elements by name and classes, each with how many of it are shown. */
async function findShown(page: Page): Promise<Set<string>> {
  const shown = await page.evaluate(() => {
    const counts: Record<string, number> = {}
    for (const element of document.body.querySelectorAll('*')) {
      if (!element.checkVisibility({ visibilityProperty: true })) continue
      const name = `${element.localName}.${element.getAttribute('class') ?? ''}`
      counts[name] = (counts[name] ?? 0) + 1
    }
    return Object.entries(counts).map(([name, count]) => `${count} ${name}`)
  })
  return new Set(shown)
}

/** By axe itself in the page: the way through its package for Playwright takes three times as long. */
function findViolations(page: Page, rules: string[] | undefined): Promise<string[]> {
  return page.evaluate(async (runOnly) => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe
    const { violations } = await run(document, { resultTypes: ['violations'], ...(runOnly && { runOnly }) })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${String(target)}`))
  }, rules ?? null)
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
    // A browser that draws nothing for a while has no next picture.
    const nextPicture = () =>
      new Promise((resolve) => {
        requestAnimationFrame(resolve)
        setTimeout(resolve, 1_000)
      })
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
