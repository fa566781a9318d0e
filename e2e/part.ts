// A journey of several parts, which share one browser and its cache.
import type { Page } from '@playwright/test'
import { clearStorage } from './leaving.ts'
import { test } from './shop.ts'

/** Begins as in a fresh browser: nobody is signed in, one tab is open, no request is held. Settings of the shop stay. */
export async function part(page: Page, title: string, walk: () => Promise<void>): Promise<void> {
  test.setTimeout(test.info().timeout + 60_000)
  if (page.url() !== 'about:blank') await beginAnew(page)
  await test.step(title, walk)
}

async function beginAnew(page: Page): Promise<void> {
  for (const tab of page.context().pages()) if (tab !== page) await tab.close()
  await page.context().setOffline(false)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await clearStorage(page)
  await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: 'reduce' })
  await page.setViewportSize({ width: 1280, height: 720 })
}
