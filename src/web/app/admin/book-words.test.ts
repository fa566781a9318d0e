import { createElement, Fragment } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { homeTexts } from '#words/home.ts'
import { readTextsFrom } from '#words/texts.ts'
import { wordingOfPage } from '../../page/page-texts.tsx'
import { ShopContext, type Shop } from '../../shop.ts'
import { BookWords } from './book-words.tsx'

let before: Parameters<typeof readTextsFrom>[0]

beforeAll(() => {
  const textContent = JSON.stringify({ locale: 'de', texts: { 'home.buy': 'Kaufen' } })
  vi.stubGlobal('document', { getElementById: () => ({ textContent }) })
  vi.stubGlobal('location', { pathname: '/admin/products' })
  before = readTextsFrom(wordingOfPage)
})

afterAll(() => {
  readTextsFrom(before)
  vi.unstubAllGlobals()
})

const Buy = () => createElement('b', null, homeTexts.buy)
const Both = ({ names }: { names: string[] }) =>
  createElement(
    Fragment,
    null,
    names.map((name) => createElement('p', { key: name }, createElement(Buy))),
    null,
    createElement(Buy),
  )

test('what stands in the words of the book has them however deep it is, and nothing beside it has', () => {
  const shop = { book: { language: 'de' } } as Shop
  const worded = createElement(BookWords, null, createElement(Both, { names: ['one', 'two'] }))
  const page = createElement(ShopContext, { value: shop }, createElement(Buy), worded, createElement(Buy))
  expect(renderToStaticMarkup(page)).toBe(
    '<b>Buy</b><div lang="de" dir="ltr" class="contents"><p><b>Kaufen</b></p><p><b>Kaufen</b></p><b>Kaufen</b></div><b>Buy</b>',
  )
})
