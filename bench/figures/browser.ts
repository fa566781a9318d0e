// What a browser fetches for the home page, and what Lighthouse says of the public pages.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { chromium, devices, type Browser } from '@playwright/test'
import { z } from 'zod'
import { ensureChromium } from '../../test/chromium.ts'
import { startProcess } from '../../test/start-process.ts'
import { median, type Measure } from '../figure.ts'
import { publish, startOwnShop } from '../own-book.ts'
import { temporaryFolder } from '../processes.ts'

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking']

export const weight: Measure = async function* () {
  await using shop = await startOwnShop()
  await using browser = await chromium.launch({ executablePath: ensureChromium(), args: flags })
  for (const language of ['en', 'de', 'ja']) {
    await publish(shop.author, { language })
    const { script, font, style, whole } = await weigh(browser, shop.url)
    const name = (part: string) => `Home page in ${language}: ${part}`
    yield { name: name('scripts'), bar: { atMost: 6 }, unit: 'kB', measured: script }
    yield { name: name('styles'), bar: { atMost: 10.5 }, unit: 'kB', measured: style }
    yield { name: name('fonts'), bar: { atMost: 90 }, unit: 'kB', measured: font }
    yield { name: name('everything'), bar: { atMost: 150 }, unit: 'kB', measured: whole }
  }
}

/** In kilobytes as transferred, of a first visit on a phone; styles and scripts within the page count as compressed alone. */
async function weigh(browser: Browser, url: string) {
  await using context = await browser.newContext({ ...devices['Pixel 7'] })
  const page = await context.newPage()
  const bytes = new Map<string, number>()
  page.on('requestfinished', async (request) => {
    const { responseBodySize, responseHeadersSize } = await request.sizes()
    const type = request.resourceType()
    bytes.set(type, (bytes.get(type) ?? 0) + responseBodySize + responseHeadersSize)
  })
  await page.goto(url, { waitUntil: 'networkidle' })
  const inline = async (selector: string) =>
    brotliCompressSync((await page.locator(selector).allTextContents()).join('')).length
  const kilobytes = (type: string) => (bytes.get(type) ?? 0) / 1000
  return {
    script: kilobytes('script') + (await inline('script:not([type$=json])')) / 1000,
    style: kilobytes('stylesheet') + (await inline('style')) / 1000,
    font: kilobytes('font'),
    whole: [...bytes.values()].reduce((sum, size) => sum + size, 0) / 1000,
  }
}

const bars = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 }
const reportOf = z.object({ categories: z.record(z.string(), z.object({ score: z.number() })) })

export const lighthouse: Measure = async function* ({ rounds }) {
  await using shop = await startOwnShop()
  for (const path of ['/', '/preview', '/auth']) {
    const reports: z.infer<typeof reportOf>[] = []
    for (let round = 0; round < rounds; round++) reports.push(await audit(shop.url + path))
    for (const [category, atLeast] of Object.entries(bars)) {
      // It is not for search engines, and says so to them.
      if (path === '/auth' && category === 'seo') continue
      const measured = median(reports.map(({ categories }) => (categories[category]?.score ?? 0) * 100))
      yield { name: `Lighthouse ${path}: ${category}`, bar: { atLeast }, unit: 'points', measured }
    }
  }
}

async function audit(url: string) {
  const program = join(import.meta.dirname, '../node_modules/.bin/lighthouse')
  if (!existsSync(program)) throw new Error('Lighthouse is not installed: run `npm ci --prefix bench` once.')
  using folder = temporaryFolder()
  // What it prints is cut off at times.
  const file = join(folder.path, 'report.json')
  const args = [url, '--quiet', '--output=json', `--output-path=${file}`]
  const only = `--only-categories=${Object.keys(bars).join()}`
  const chrome = `--chrome-flags=--headless ${flags.join(' ')}`
  await startProcess(program, [...args, only, chrome], { env: { CHROME_PATH: ensureChromium() } }).ended
  return reportOf.parse(JSON.parse(readFileSync(file, 'utf8')))
}
