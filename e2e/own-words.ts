// Whose words stand on a page of an own book's shop: the author's, the catalogue's, or data; never the sample's.
import { readFile } from 'node:fs/promises'
import { globSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { strFromU8, unzipSync } from 'fflate'
import { legalPages } from '#content/legal-pages.ts'
import { sampleBook } from '#content/sample-book.ts'
import { storedData } from '#domains/book/stored-data.ts'
import { formatsTexts } from '#words/buying.ts'
import { formats } from '#contract/catalog/formats.ts'
import { purchaseStatus } from '#contract/orders/purchases.ts'
import { filledBlanks } from '#test/legal.ts'
import { expect } from './shop.ts'

/** `epub` is the author's file. */
export async function openOwnWords(epub: string) {
  const own = joined(await textOf(epub))
  const catalogue = await readCatalogue()
  const isKnown = (text: string) =>
    own.includes(joined(text)) || isDatum(text) || catalogue.some((pattern) => pattern.test(text))
  // As the title of a legal page: the page's, and the book's. As that of the home page: the book's, and the author's.
  const isAllowed = (text: string) => isKnown(text) || text.split(/: | by /).every(isKnown)
  const ofSample = [...new Set(stringsOf(sampleBook).flatMap((text) => text.split('\n')))]
    .map(plain)
    .filter((text) => text.length > 11 && !isAllowed(text))
  return {
    expectOnly: async (page: Page) => {
      const texts = (await readTexts(page))
        .flatMap((text) => text.split(' · '))
        .map(plain)
        .filter((text) => /\p{L}/u.test(text))
      expect(texts.length, page.url()).toBeGreaterThan(5)
      expect(
        texts.filter((text) => !isAllowed(text)),
        page.url(),
      ).toEqual([])
      const whole = plain(await page.content())
      expect(
        ofSample.filter((text) => whole.includes(text)),
        page.url(),
      ).toEqual([])
    },
  }
}

async function textOf(epub: string): Promise<string> {
  const files = unzipSync(new Uint8Array(await readFile(epub)))
  return Object.entries(files)
    .filter(([name]) => /\.(x?html|opf|ncx)$/.test(name))
    .map(([, content]) => strFromU8(content).replaceAll(/<[^>]*>/g, ' '))
    .join(' ')
}

/** Each text as a whole, and what stands between its placeholders, for these may be elements of their own. */
async function readCatalogue(): Promise<RegExp[]> {
  const folder = new URL('../src/words/', import.meta.url)
  const files = globSync('*.ts', { cwd: folder }).filter((name) => !/^fill|\.test\./.test(name))
  const modules: unknown[] = await Promise.all(files.map((name) => import(new URL(name, folder).href)))
  const texts = stringsOf(modules.map((each) => Object(each))).flatMap((text) => text.split(' · '))
  expect(texts.length).toBeGreaterThan(200)
  return [...texts, ...legalTexts()].flatMap(patternsOf)
}

function patternsOf(text: string): RegExp[] {
  const pieces = text.split(/\{\w+\}/).map(plain)
  const whole = new RegExp(`^${pieces.map(escape).join('\\s?.+?\\s?')}$`)
  // With a placeholder at both ends it would allow too much.
  const isWhole = hasWords(pieces.at(0)) || hasWords(pieces.at(-1))
  const parts = pieces.filter(hasWords).map((piece) => new RegExp(`^${escape(piece)}$`))
  return isWhole ? parts.concat(whole) : parts
}

/** The templates of the legal pages, which are of the law, cut where Markdown makes elements of them. */
function legalTexts(): string[] {
  return [...stringsOf(legalPages.pages), storedData]
    .flatMap((text) => text.split('\n'))
    .flatMap((line) => line.replace(/^(#+|-|>) /, '').split(/\*+|\[|\]\([^)]*\)/))
}

export const escape = (text: string) => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)

export const hasWords = (text = '') => /\p{L}{2}/u.test(text)

const rules = new Set<string>([
  ...Object.values(formatsTexts.names),
  ...formats,
  ...purchaseStatus.options,
  // The file's language, and what the setup suggests to close the page with.
  'English',
  'Ready for the first page?',
])

/** A price, a date, an address, a format, the size of a file, or a limit of the shop. */
function isDatum(text: string): boolean {
  const isTyped =
    /^((US)?[€$]?\d[\d.,]*|\d+ [A-Z][a-z]+ \d{4}|[A-Z][a-z]+ \d+, \d{4}|[\w.-]+@[\w.-]+|#\d+|[A-Z]+, [\d.]+ [kM]B|http:\/\/localhost:\d+)$/.test(
      text,
    )
  return isTyped || rules.has(text) || plain(Object.values(filledBlanks).join('\n')).includes(text)
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : []
}

/** Without spaces: where the page joins two elements of the file, there are none. */
function joined(text: string): string {
  return plain(text).replaceAll(' ', '')
}

export function plain(text: string): string {
  return text
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/&#x27;|&apos;/g, "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Of everything that is seen, read aloud, or shown by a browser, a search engine or a shared link. */
export async function readTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [document.title]
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { parentElement, textContent } = walker.currentNode
      if (!textContent || parentElement?.closest('script, style')) continue
      // Where scripts run, the elements in it are text.
      if (parentElement?.matches('noscript')) found.push(...textContent.split(/<[^>]*>/))
      else found.push(textContent)
    }
    for (const name of ['aria-label', 'alt', 'title', 'placeholder'])
      for (const element of document.querySelectorAll(`[${name}]`))
        found.push(element.getAttribute(name) ?? '')
    const metas = 'meta[name="description"], meta[property^="og:"], meta[name^="twitter:"]'
    for (const element of document.querySelectorAll(metas)) {
      const content = element.getAttribute('content') ?? ''
      const isText = !/^https?:|^(book|summary_large_image)$/.test(content)
      if (isText) found.push(content)
    }
    return found
  })
}
