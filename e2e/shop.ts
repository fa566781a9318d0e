// A journey's shop: the real server on a folder of its own, a browser beside it, and the mails it writes.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, test as base, type Browser, type Page } from '@playwright/test'
import { findChromium } from '#test/chromium.ts'
import { cleanEnvironment } from '#test/environment.ts'
import { openMailbox, type Mailbox } from '#test/mailbox.ts'
import { startStripe, type StripeStandIn } from '../packages/stripe-stand-in/src/stripe.ts'

export const admin = { email: 'author@example.com', password: 'the author herself' }

export type Shop = { url: string; dataDir: string; mailbox: Mailbox }

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
      const port = await freePort()
      const url = `http://localhost:${port}`
      const server = await startServer({
        PORT: String(port),
        DATA_DIR: dataDir,
        ADMIN_EMAIL: admin.email,
        ADMIN_PASSWORD: admin.password,
        ...(takesMoney && stripe.env),
        ...settings,
      })
      stripe.tellTo(`${url}/api/stripe/webhook`)
      await give({ url, dataDir, mailbox: openMailbox(join(dataDir, 'outbox')) })
      server.kill('SIGTERM')
      await once(server, 'exit')
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

/** A page is used only when its scripts are running, unless `waitUntil` is given. */
function visitUnhurried(page: Page): Page {
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

async function startServer(env: Record<string, string>): Promise<ChildProcess> {
  const server = spawn(process.execPath, ['build/shop/main.js'], {
    env: cleanEnvironment({ NODE_ENV: 'production', RATE_LIMIT: 'off', LOG_LEVEL: 'warn', ...env }),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const deadline = Date.now() + 30_000
  while (Date.now() < deadline) {
    const isReady = await fetch(`http://localhost:${env['PORT']}/api/ready`).then(
      (response) => response.ok,
      () => false,
    )
    if (isReady) return server
    if (server.exitCode !== null) throw new Error(`the server stopped at once with ${server.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the server did not get ready')
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0)
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  return port
}
