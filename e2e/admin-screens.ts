// Every screen of the admin area, as the site map has them.
import type { Page, Request } from '@playwright/test'
import type { RouteConfigEntry } from '@react-router/dev/routes'
import siteMap from '#web/app/routes.ts'
import { expect } from './shop.ts'

/** Opens each. Where a path has a parameter, it is taken from the first link to such a screen on those before. */
export async function visitAdminScreens(page: Page): Promise<string[]> {
  const patterns = siteMap
    .flatMap((entry) => pathsOf(entry, ''))
    .filter((path) => /^\/admin(\/|$)/.test(path))
  const lists = patterns.filter((pattern) => !pattern.includes(':'))
  const links = new Set<string>()
  const requests = new Set<Request>()
  page.on('request', (request) => requests.add(request))
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
  const visited: string[] = []
  async function visit(path: string) {
    await page.goto(path)
    await expect(page.locator('main:not([aria-busy])')).toBeVisible()
    await expect.poll(() => requests.size).toBe(0)
    visited.push(new URL(page.url()).pathname)
    const found = await page
      .locator('main a')
      .evaluateAll((all) => all.map((each) => each.getAttribute('href')))
    for (const href of found) if (href && !lists.includes(href)) links.add(href)
  }
  for (const path of lists) await visit(path)
  for (const pattern of patterns.filter((each) => !lists.includes(each))) {
    const [before = '', after = ''] = pattern.split(/:\w+/)
    const link = [...links].find((href) => href.startsWith(before))
    expect([pattern, link]).toEqual([pattern, expect.any(String)])
    await visit(before + link!.slice(before.length).replace(/[/?#].*/, '') + after)
  }
  return visited
}

function pathsOf({ path, children }: RouteConfigEntry, above: string): string[] {
  const own = path === undefined ? above : `${above}/${path}`
  return children ? children.flatMap((child) => pathsOf(child, own)) : [own]
}

/** Opens the list of what the setup lacks, which stands open until the first sale. */
export async function openSteps(page: Page): Promise<void> {
  const steps = page.locator('details').filter({ hasText: /things? to set up/ })
  await expect(steps).toBeVisible()
  if ((await steps.getAttribute('open')) === null) await steps.locator('summary').click()
}
