// Letters of other languages: a word stands in one font, and a page loads no fonts that it does not need.
import { execFileSync } from 'node:child_process'
import type { CDPSession, Page } from '@playwright/test'
import { sampleBook } from '#content/sample-book.ts'
import { expect, test } from './shop.ts'
import { changeBook } from './translations.ts'

test.use({ shopName: 'a shop in several languages' })

const books = {
  en: {
    title: 'The Road',
    text: 'A road begins where someone goes.',
    heading: 'Fraunces',
    body: 'Inter',
    loads: ['fraunces-latin', 'inter-latin'],
  },
  pl: {
    title: 'Zażółć gęślą jaźń',
    text: 'Pchnąć w tę łódź jeża lub ośm skrzyń fig.',
    heading: 'Fraunces',
    body: 'Inter',
    loads: ['fraunces-latin', 'fraunces-latin-ext', 'inter-latin', 'inter-latin-ext'],
  },
  vi: {
    title: 'Truyện Kiều',
    text: 'Trăm năm trong cõi người ta, chữ tài chữ mệnh khéo là ghét nhau.',
    heading: 'Fraunces',
    body: 'Inter',
    loads: [
      'fraunces-latin',
      'fraunces-latin-ext',
      'fraunces-vietnamese',
      'inter-latin',
      'inter-latin-ext',
      'inter-vietnamese',
    ],
  },
  ru: {
    title: 'В начале было Слово',
    text: 'Съешь же ещё этих мягких французских булок, да выпей чаю.',
    heading: 'Source Serif 4',
    body: 'Inter',
    loads: ['inter-cyrillic', 'inter-latin', 'source-serif-4-cyrillic', 'source-serif-4-latin'],
  },
  el: {
    title: 'Η πηγή της γνώσης',
    text: 'Ξεσκεπάζω την ψυχοφθόρα βδελυγμία.',
    heading: 'Source Serif 4',
    body: 'Inter',
    loads: ['inter-greek', 'inter-latin', 'source-serif-4-greek', 'source-serif-4-latin'],
  },
  ja: {
    title: '夢十夜と7つの物語',
    text: 'こんな夢を見た。腕組をして枕元に坐っていると、Kindleを持つ女が10分間静かな声で話した。',
    heading: 'Noto Serif CJK JP',
    body: 'Noto Sans CJK JP',
    loads: [],
  },
} as const

for (const [language, book] of Object.entries(books))
  test(`in a book whose language is “${language}” each word stands in one font`, async ({ page, shop }) => {
    test.skip(
      language === 'ja' && execFileSync('fc-list', ['Noto Serif CJK JP', 'family']).length === 0,
      'This machine does not have the fonts of fonts-noto-cjk.',
    )
    await changeBook(shop, {
      language,
      title: book.title,
      product: '',
      words_title: '',
      blueprint: { ...sampleBook.blueprint, title: book.title, lead: book.text, text: book.text },
    })
    const loaded = new Set<string>()
    page.on('requestfinished', (request) => {
      const [, font] = /\/assets\/([\w-]+)-[\w-]{8}\.woff2$/.exec(request.url()) ?? []
      if (font) loaded.add(font)
    })
    for (const path of ['/', '/auth']) {
      await page.goto(path)
      await page.evaluate(() => document.fonts.ready)
      const words = await readWords(page)
      expect(words.length, path).toBeGreaterThan(20)
      const split = words.filter(({ fonts }) => fonts.length !== 1)
      expect(
        split.map(({ word, fonts }) => `${word}: ${fonts.join(', ')}`),
        path,
      ).toEqual([])
      const ofTitle = words.filter(({ isTitle }) => isTitle).flatMap(({ fonts }) => fonts)
      expect(new Set(ofTitle), path).toEqual(new Set([book.heading]))
      expect(new Set(words.flatMap(({ fonts }) => fonts))).toEqual(new Set([book.heading, book.body]))
    }
    expect([...loaded].toSorted()).toEqual(book.loads)
  })

type Word = { word: string; isTitle: boolean; fonts: string[] }

/** By what the browser says of each word of the page; of equal ones in equal letters, of one. */
async function readWords(page: Page): Promise<Word[]> {
  const words = await page.evaluate(markWords)
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const { root } = await session.send('DOM.getDocument')
  const { nodeIds } = await session.send('DOM.querySelectorAll', {
    nodeId: root.nodeId,
    selector: '[data-word]',
  })
  expect(nodeIds).toHaveLength(words.length)
  const fonts = await Promise.all(nodeIds.map((nodeId) => readFonts(session, nodeId)))
  await session.detach()
  return words
    .map(({ word, isTitle, isShown }, at) => ({ word, isTitle, isShown, fonts: fonts[at] ?? [] }))
    .filter(({ isShown }) => isShown)
}

async function readFonts(session: CDPSession, nodeId: number): Promise<string[]> {
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
  return [...new Set(fonts.map(({ familyName }) => familyName))]
}

/** Puts each word into an element of its own. */
function markWords() {
  const texts: Text[] = []
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const { currentNode } = walker
    const isText =
      currentNode.parentElement?.closest('script, style, noscript, svg, option, textarea') === null
    if (isText && currentNode instanceof Text) texts.push(currentNode)
  }
  const known = new Set<string>()
  return texts.flatMap((text) => {
    const parent = text.parentElement!
    const { fontFamily, fontWeight, fontSize } = getComputedStyle(parent)
    const isTitle = parent.closest('h1') !== null
    const pieces = text.data.split(/([\p{L}\p{M}\p{N}]*\p{L}[\p{L}\p{M}\p{N}]*)/u)
    const marked = pieces.map((piece, at) => {
      const key = [piece, fontFamily, fontWeight, fontSize, isTitle].join()
      if (at % 2 === 0 || known.has(key) || !parent.checkVisibility()) return new Text(piece)
      known.add(key)
      const word = document.createElement('span')
      word.dataset['word'] = ''
      word.append(piece)
      return word
    })
    text.replaceWith(...marked)
    return marked.flatMap((each) =>
      each instanceof HTMLElement
        ? [{ word: each.innerText, isTitle, isShown: each.getClientRects().length > 0 }]
        : [],
    )
  })
}
