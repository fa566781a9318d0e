// What a journey begins with: its shop, a browser beside it, and what the browser complains of.
import { chromium, test as base, type Browser, type BrowserContext, type Page } from '@playwright/test'
import { findChromium } from '#test/chromium.ts'
import { openHttpsProxy, type HttpsProxy } from '#test/https-proxy.ts'
import { openSmtpServer, type TestSmtpServer } from '#test/smtp.ts'
import { arrange, remember, reset, type Arrangement } from './arrange-shop.ts'
import { createShops, sharedShops, type VisitedShop, type Shop, type ShopOptions } from './open-shop.ts'
import type { StripeStandIn } from '@lectern/stripe-stand-in'

export type { Shop } from './open-shop.ts'

type Fixtures = Arrangement & {
  /** A shop of its own; empty for the one that the journeys of a worker share. */
  shopName: string
  /** The shop takes money through `stripe`, which tells it by webhooks. */
  takesMoney: boolean
  /** Variables that a shop of its own is started with, beyond what all are. */
  settings: Record<string, string>
  running: VisitedShop
  shop: Shop
  stripe: StripeStandIn
  /** Complaints of the page: console errors, uncaught errors, violations of the content policy. The test fails on any. */
  complaints: string[]
}
type WorkerFixtures = {
  openShop: (name: string, options: ShopOptions) => Promise<VisitedShop>
  /** Where the mails of a shop that `sendsMail` arrive. */
  smtp: TestSmtpServer
  /** Leads nowhere until a journey gives it a `target`. */
  httpsProxy: HttpsProxy
  chrome: Browser
}

export const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Of `HttpsProxy`.
  '--host-resolver-rules=MAP books.example 127.0.0.1',
]

export const test = base.extend<Fixtures, WorkerFixtures>({
  shopName: ['', { option: true }],
  takesMoney: [false, { option: true }],
  settings: [{}, { option: true }],
  sendsMail: [false, { option: true }],
  hasOwnBook: [false, { option: true }],
  openShop: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, give) => {
      await using shops = createShops()
      await give(shops.open)
    },
    { scope: 'worker' },
  ],
  smtp: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, give) => {
      await using smtp = await openSmtpServer()
      await give(smtp)
    },
    { scope: 'worker' },
  ],
  httpsProxy: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the pattern
    async ({}, give) => {
      await using proxy = await openHttpsProxy()
      await give(proxy)
    },
    { scope: 'worker' },
  ],
  running: async ({ openShop, shopName, takesMoney, settings, sendsMail, hasOwnBook, smtp }, give) => {
    const name = shopName || sharedShops[takesMoney ? 'paid' : 'free']
    const running = await openShop(name, { takesMoney, settings })
    if (!shopName) await remember(running.shop)
    await arrange(running.shop, { sendsMail, hasOwnBook }, smtp)
    await give(running)
    if (!shopName) await reset(running.shop)
  },
  shop: ({ running }, give) => give(running.shop),
  stripe: ({ running }, give) => give(running.stripe),
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
  context: async ({ chrome, shop, contextOptions }, give, info) => {
    using opened = watchPaths(chrome, shop)
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
    info.annotations.push({ type: 'paths', description: [...opened.paths].join(' ') })
  },
  page: async ({ page }, give) => {
    await give(visitHydrated(page))
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

/** A page of the app once its scripts run; a page of the site at once. */
export const usable = 'html[data-alive], #data'

/** A page is used only when it is usable, unless `waitUntil` is given. */
export function visitHydrated(page: Page): Page {
  const isAlive = () => page.locator(usable).waitFor({ state: 'attached' })
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

/** The paths of the shop that any page of the browser opens: the report has them, for `npm test -- --changed`. */
function watchPaths(browser: Browser, shop: Shop): Disposable & { paths: Set<string> } {
  const paths = new Set<string>()
  const { origin } = new URL(shop.url)
  const watchContext = (context: BrowserContext) => {
    context.on('page', (page) =>
      page.on('framenavigated', (frame) => {
        const url = new URL(frame.url())
        const isPage = url.origin === origin && !url.pathname.includes('.')
        if (isPage && frame === page.mainFrame()) paths.add(url.pathname)
      }),
    )
  }
  browser.on('context', watchContext)
  return { paths, [Symbol.dispose]: () => void browser.off('context', watchContext) }
}

/** A failed request is shown by the browser too, here with its address; a test that provokes one clears the list. */
export function watch(page: Page, complaints: string[]) {
  page.on('console', (message) => {
    const { url } = message.location()
    // It signs in every ten seconds, and is refused until the address is confirmed.
    const isAskingAgain = page.url().includes('form=check-mail') && url.endsWith('grant_type=password')
    if (message.type() === 'error' && !isAskingAgain) complaints.push(`${message.text()} ${url}`)
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
