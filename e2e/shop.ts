// A journey's shop: the real server on a folder and a database of its own, a browser beside it, and the mails it writes.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, test as base, type Browser, type Page } from '@playwright/test'
import { findChromium } from '#test/chromium.ts'
import { createTestDatabase } from '#test/database.ts'
import { openMailbox, type Mailbox } from '#test/mailbox.ts'
import { startShop } from '#test/running-shop.ts'
import { startStripe, type StripeStandIn } from '@lectern/stripe-stand-in'

export type Shop = { url: string; dataDir: string; databaseUrl: string; mailbox: Mailbox }

type Fixtures = {
  /** Complaints of the page: console errors, uncaught errors, violations of the content policy. The test fails on any. */
  complaints: string[]
}
type WorkerFixtures = {
  /** Journeys of another name visit another shop. */
  shopName: string
  /** The shop takes money through `stripe`, which tells it by webhooks. */
  takesMoney: boolean
  stripe: StripeStandIn
  /** How this shop is set up, beyond what all are. */
  settings: Record<string, string>
  shop: Shop
  chrome: Browser
}

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const test = base.extend<Fixtures, WorkerFixtures>({
  shopName: ['the shop of everyone', { option: true, scope: 'worker' }],
  takesMoney: [false, { option: true, scope: 'worker' }],
  settings: [{}, { option: true, scope: 'worker' }],
  stripe: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, give) => {
      await using stripe = await startStripe()
      await give(stripe)
    },
    { scope: 'worker' },
  ],
  shop: [
    async ({ stripe, takesMoney, settings }, give) => {
      const dataDir = await mkdtemp(join(tmpdir(), 'lectern-journey-'))
      await using database = await createTestDatabase()
      const databaseUrl = database.url
      const env = {
        DATABASE_URL: databaseUrl,
        STRIPE_API_BASE: stripe.url,
        ...(takesMoney && stripe.env),
        ...settings,
      }
      const { url, ...server } = await startShop(dataDir, { env, host: 'localhost', isShown: true })
      stripe.setWebhookUrl(`${url}/api/stripe/webhook`)
      await give({ url, dataDir, databaseUrl, mailbox: openMailbox(join(dataDir, 'outbox')) })
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
  chrome: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, give) => {
      const browser = await chromium.launch({ executablePath: findChromium()!, args: flags })
      await give(browser)
      await browser.close()
    },
    { scope: 'worker' },
  ],
  baseURL: ({ shop }, give) => give(shop.url),
  context: async ({ chrome, shop, contextOptions }, give) => {
    const context = await chrome.newContext({
      reducedMotion: 'reduce',
      ...contextOptions,
      baseURL: shop.url,
      acceptDownloads: true,
    })
    // Less than the limit of a whole journey, so that what never comes is named.
    context.setDefaultTimeout(60_000)
    await give(context)
    await context.close()
  },
  page: async ({ page }, give) => {
    await give(visitUnhurried(page))
  },
  complaints: [
    async ({ page }, give) => {
      const complaints: string[] = []
      watch(page, complaints)
      await give(complaints)
      base.expect(complaints, 'the browser complained').toEqual([])
    },
    { auto: true },
  ],
})

export { expect } from '@playwright/test'
export { admin } from '#test/running-shop.ts'

/** A page is used only when its scripts are running, unless `waitUntil` is given. */
export function visitUnhurried(page: Page): Page {
  const isAlive = () => page.locator('html[data-alive]').waitFor({ state: 'attached' })
  const goto = page.goto.bind(page)
  page.goto = async (url, options) => {
    const response = await goto(url, options)
    if (!options?.waitUntil) await isAlive()
    return response
  }
  const reload = page.reload.bind(page)
  page.reload = async (options) => {
    const response = await reload(options)
    if (!options?.waitUntil) await isAlive()
    return response
  }
  return page
}

/** A failed request is shown by the browser too; a test that provokes one clears the list. */
export function watch(page: Page, complaints: string[]) {
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
}

/** Takes what the browser says of requests that failed, as a journey meant them to, off the list. */
export function refusals(complaints: string[]): string[] {
  const isRefusal = (text: string) => text.startsWith('Failed to load resource')
  const found = complaints.filter(isRefusal)
  complaints.splice(0, Infinity, ...complaints.filter((text) => !isRefusal(text)))
  return found
}
