// Covers that are drawn: three styles, each the same for the same book, and each with texts that can be read.
import { expect, test } from 'vitest'
import { sampleBook } from '#content/sample-book.ts'
import type { BookDocument } from './book.ts'
import { contrastOf } from './colors.ts'
import { minContrast, paletteNames, coverInks, coverLayouts, coverStyles, type Looks } from './looks.ts'
import { drawCover } from './drawn-cover.ts'

const book = (given: Partial<BookDocument> = {}): BookDocument => ({
  ...sampleBook,
  title: 'Songs of the Road',
  product: '',
  ...given,
})

const looksOf = (given: Partial<Looks>): Looks => ({ ...sampleBook.looks, ...given })

const everyLooks = [
  ...paletteNames.map((palette) => looksOf({ palette })),
  ...['#001', '#123', '#700', '#ff0', '#0f8', '#fff', '#888', '#08f', '#f0f'].map((digits) => {
    const color = digits.replaceAll(/[^#]/g, '$&$&')
    return looksOf({ uses_cover_colors: true, cover_colors: { main: color, accent: color } })
  }),
]

test('each style draws the same book in the same way, and another book in another', () => {
  for (const style of coverStyles) {
    expect(drawCover(book(), style)).toEqual(drawCover(book(), style))
    const words = sampleBook.words.slice(0, 7)
    expect(drawCover(book({ title: 'Home', words }), style)).not.toEqual(drawCover(book(), style))
  }
  const drawn = coverStyles.map((style) => JSON.stringify(drawCover(book(), style).shapes))
  expect(new Set(drawn).size).toBe(coverStyles.length)
  const looks = { ...sampleBook.looks, cover_style: 'frame' } as const
  expect(drawCover(book({ looks }))).toEqual(drawCover(book({ looks }), 'frame'))
})

test('title and author can be read on covers of all styles and colors', () => {
  for (const looks of everyLooks)
    for (const style of coverStyles) {
      const { shapes } = drawCover(book({ looks }), style)
      const { title, author } = coverLayouts[style].inks
      const [ground, first, floor] = shapes.map(({ fill }) => fill)
      const last = shapes.at(-1)?.fill
      const grounds = {
        arches: { title: [ground, first], author: [first, floor] },
        frame: { title: [first], author: [first] },
        horizon: { title: [ground], author: [last] },
      }[style]
      for (const each of grounds.title) expectRead(title, each, style)
      for (const each of grounds.author) expectRead(author, each, style)
    }
})

function expectRead(ink: keyof typeof coverInks, ground: string | undefined, style: string) {
  const contrast = contrastOf(coverInks[ink], ground ?? '')
  expect(contrast, `${ink} on ${ground}, ${style}`).toBeGreaterThanOrEqual(minContrast.text)
}
