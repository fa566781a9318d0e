// A shop whose book has another language: what its pages say, and which English texts are left on them.
import type { Page } from '@playwright/test'
import { sampleBook } from '#content/sample-book.ts'
import type { BookDocument } from '#contract/book/book.ts'
import type { Product } from '#contract/catalog/products.ts'
import { catalogue, loadStandardTexts } from '#words/catalogue.ts'
import { readyLanguages } from '#words/languages/languages.ts'
import { filledLegal, publishBook } from '#test/legal.ts'
import { escape, hasWords, plain } from './own-words.ts'
import { expect, type Shop } from './shop.ts'
import { callAsAdmin } from './users.ts'

// Journeys are defined without waiting.
const standardTexts = new Map(
  await Promise.all(
    readyLanguages.map(async (language) => [language, await loadStandardTexts(language)] as const),
  ),
)

const standardTextsOf = (language: string) => standardTexts.get(language) ?? catalogue

export async function openIn(shop: Shop, language: string): Promise<void> {
  await changeBook(shop, { language, legal: filledLegal() })
}

export async function changeBook(shop: Shop, change: Partial<BookDocument> & { language: string }) {
  const call = await callAsAdmin(shop)
  const response = await publishBook({ call }, change)
  expect(response.status).toBe(200)
  await expect.poll(async () => (await fetch(shop.url)).text()).toContain(`<html lang="${change.language}"`)
}

export async function setDigitalPrice(shop: Shop, price: number): Promise<void> {
  const products = (await (await fetch(`${shop.url}/api/products`)).json()) as Product[]
  const digital = products.find(({ format }) => format === 'digital')
  const call = await callAsAdmin(shop)
  const response = await call('PATCH', `/api/admin/products/${digital?.id}`, { body: { price } })
  expect(response.status).toBe(200)
}

/** The text of this language, filled in; as a pattern where something is left open. */
export function createSay(language: string) {
  const texts = standardTextsOf(language)
  return (key: string, values: Record<string, string> = {}) => {
    const text = texts.get(key)
    if (text === undefined) throw new Error(`There is no text ${key}`)
    return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
  }
}

/** Finds texts that are the catalogue's, in English, and no text of this language or of the book. */
export function createFindEnglish(language: string) {
  const translated = standardTextsOf(language)
  const english = [...catalogue].filter(([key, text]) => translated.get(key) !== text)
  const isEnglish = matcher(english.map(([, text]) => text))
  const isTranslated = matcher([...translated.values()])
  const ofBook = JSON.stringify(sampleBook)
  return (found: string[]) => {
    const texts = found.flatMap((text) => text.split(' · ')).map(plain)
    expect(texts.length).toBeGreaterThan(5)
    return texts.filter((text) => isEnglish(text) && !isTranslated(text) && !ofBook.includes(text))
  }
}

/** A text with a placeholder at both ends would match too much. */
function matcher(texts: string[]): (text: string) => boolean {
  const patterns = texts
    .map((text) => plain(text).split(/\{\w+\}/))
    .filter((pieces) => hasWords(pieces.at(0)) || hasWords(pieces.at(-1)))
    .map((pieces) => new RegExp(`^${pieces.map(escape).join('.+')}$`))
  return (text) => patterns.some((pattern) => pattern.test(text))
}

/** Buttons, links, tabs and headings whose words stand over their edge. */
export function findClipped(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('button, a, label, h1, h2, h3, th, td, dt, dd')]
      .filter((element) => element.checkVisibility() && !element.closest('.sr-only'))
      .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1)
      .map(({ tagName, textContent }) => `${tagName}: ${textContent}`),
  )
}
