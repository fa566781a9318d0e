// What a browser fetches for the home page, and what Lighthouse says of the public pages.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import { z } from 'zod'
import { ensureChromium } from '../../test/chromium.ts'
import { startProcess } from '../../test/start-process.ts'
import { median, type Measure } from '../figure.ts'
import { startOwnShop } from '../own-book.ts'
import { temporaryFolder } from '../processes.ts'

const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking']

export const weight: Measure = async function* () {
  await using shop = await startOwnShop()
  await using browser = await chromium.launch({ executablePath: ensureChromium(), args: flags })
  const page = await browser.newPage()
  const kilobytes: Record<string, number> = { script: 0, font: 0, stylesheet: 0 }
  page.on('requestfinished', async (request) => {
    const { responseBodySize, responseHeadersSize } = await request.sizes()
    const type = request.resourceType()
    kilobytes[type] = (kilobytes[type] ?? 0) + (responseBodySize + responseHeadersSize) / 1000
  })
  await page.goto(shop.url, { waitUntil: 'networkidle' })
  const inline = (await page.locator('style').allTextContents()).join('')
  const { script = 0, font = 0, stylesheet = 0 } = kilobytes
  const styles = stylesheet + brotliCompressSync(inline).length / 1000
  yield { name: 'Home page: scripts', bar: { atMost: 123 }, unit: 'kB', measured: script }
  yield { name: 'Home page: styles', bar: { atMost: 12 }, unit: 'kB', measured: styles }
  yield { name: 'Home page: fonts', bar: { atMost: 90 }, unit: 'kB', measured: font }
}

const bars = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 }
const reportOf = z.object({ categories: z.record(z.string(), z.object({ score: z.number() })) })

export const lighthouse: Measure = async function* ({ rounds }) {
  await using shop = await startOwnShop()
  for (const path of ['/', '/preview', '/auth']) {
    const reports: z.infer<typeof reportOf>[] = []
    for (let round = 0; round < rounds; round++) reports.push(await audit(shop.url + path))
    for (const [category, atLeast] of Object.entries(bars)) {
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
