// What a phone has to fetch for the home page, and what Lighthouse says of the public pages.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempDisposableSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import { ensureChromium } from '../../test/chromium.ts'
import { cleanEnvironment } from '../../test/environment.ts'
import { median, type Figure } from '../figure.ts'
import type { Shop } from '../processes.ts'

const program = join(import.meta.dirname, '../node_modules/.bin/lighthouse')
const flags = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking']

export async function weight(shop: Shop): Promise<Figure[]> {
  await using browser = await chromium.launch({ executablePath: ensureChromium(), args: flags })
  const page = await browser.newPage()
  const devtools = await page.context().newCDPSession(page)
  const types = new Map<string, string>()
  const bytes: Record<string, number> = {}
  await devtools.send('Network.enable')
  devtools.on('Network.responseReceived', ({ requestId, type }) => types.set(requestId, type))
  devtools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const type = types.get(requestId) ?? 'Other'
    bytes[type] = (bytes[type] ?? 0) + encodedDataLength / 1000
  })
  await page.goto(shop.url, { waitUntil: 'networkidle' })
  const style = await page.evaluate(() =>
    [...document.querySelectorAll('style')].map((each) => each.textContent).join(''),
  )
  const css = (bytes['Stylesheet'] ?? 0) + brotliCompressSync(style).length / 1000
  return [
    { name: 'Home page: scripts', bar: { atMost: 125 }, unit: 'kB', measured: bytes['Script'] ?? 0 },
    { name: 'Home page: styles', bar: { atMost: 12 }, unit: 'kB', measured: css },
    { name: 'Home page: fonts', bar: { atMost: 90 }, unit: 'kB', measured: bytes['Font'] ?? 0 },
  ]
}

type Report = {
  categories: Record<string, { score: number }>
  audits: Record<string, { numericValue: number }>
}

export async function lighthouse(shop: Shop, rounds: number): Promise<Figure[]> {
  if (!existsSync(program))
    throw new Error(
      'Lighthouse is not installed: run "npm ci --prefix bench" once, or leave it out by --only.',
    )
  const figures: Figure[] = []
  for (const path of ['/', '/preview', '/auth']) {
    const reports: Report[] = []
    for (let round = 0; round < rounds; round++) reports.push(await audit(shop.url + path))
    const points = (category: string) =>
      median(reports.map(({ categories }) => categories[category]!.score * 100))
    const bars = { performance: 95, accessibility: 100, 'best-practices': 100, seo: 100 }
    for (const [category, atLeast] of Object.entries(bars)) {
      figures.push({
        name: `Lighthouse ${path}: ${category}`,
        bar: { atLeast },
        unit: 'points',
        measured: points(category),
      })
    }
    if (path === '/') {
      const paint = median(reports.map(({ audits }) => audits['first-contentful-paint']!.numericValue / 1000))
      figures.push({ name: 'First contentful paint of /', bar: { atMost: 1 }, unit: 's', measured: paint })
    }
  }
  return figures
}

async function audit(url: string): Promise<Report> {
  const categories = '--only-categories=performance,accessibility,best-practices,seo'
  using folder = mkdtempDisposableSync(join(tmpdir(), 'lectern-bench-'))
  // What it prints it does not always print to the end.
  const file = join(folder.path, 'report.json')
  const output = ['--quiet', '--output=json', `--output-path=${file}`]
  const args = [url, ...output, categories, `--chrome-flags=--headless ${flags.join(' ')}`]
  const child = spawn(program, args, {
    env: cleanEnvironment({ CHROME_PATH: ensureChromium() }),
    stdio: 'ignore',
  })
  await once(child, 'exit')
  return JSON.parse(readFileSync(file, 'utf8')) as Report
}
