// Every palette can be read, and so can every accent that is accepted (WCAG 2.2, level AA).
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { sampleBook } from '#content/sample-book.ts'
import { contrastOf } from './colors.ts'
import { minContrast, paletteNames, palettes, type Palette } from './palettes.ts'
import { coverPalette } from './cover-palette.ts'
import { draftLooks, findAccentFault, looks, looksCss, resolveLooks, type Looks } from './looks.ts'
import { coverInk } from './cover-layout.ts'
import type { BookDocument } from './book.ts'
import { drawCover } from './drawn-cover.ts'

const { text, large } = minContrast
const sides = [
  ['light', 0],
  ['dark', 1],
] as const

const looksOf = (given: Partial<Looks>): Looks => ({ ...sampleBook.looks, ...given })

/** All but the light, which holds no text. */
type Readable = Exclude<keyof Palette, 'glow'>

/** What stands on what, and the contrast that it needs. */
const pairs: [of: Readable, on: Readable, least: number][] = [
  ...(['page', 'surface'] as const).flatMap((ground): typeof pairs => [
    ['ink', ground, text],
    ['soft', ground, text],
    ['gold_text', ground, text],
    ['gold', ground, large],
    ['edge', ground, large],
  ]),
  ['ink', 'raised', text],
  ['soft', 'raised', text],
  ['gold_text', 'raised', large],
]

function expectReadable(palette: Palette, name: string) {
  for (const [side, at] of sides)
    for (const [of, on, least] of pairs) {
      const says = `${name}, ${side}: ${of} on ${on}`
      expect(contrastOf(palette[of][at], palette[on][at]), says).toBeGreaterThanOrEqual(least)
    }
  // A band of night takes the colors of the dark, on a light page, too.
  for (const of of ['ink', 'soft', 'gold', 'gold_text'] as const)
    expect(contrastOf(palette[of][1], palette.night[1]), `${name}: ${of} on night`).toBeGreaterThanOrEqual(
      text,
    )
}

test('all text and borders of all palettes can be read, in light and dark', () => {
  for (const name of paletteNames) expectReadable(palettes[name], name)
})

test('danger and success can be read in all palettes', () => {
  for (const name of paletteNames)
    for (const ground of ['page', 'surface'] as const)
      for (const [of, side] of [
        ['#a3262b', 0],
        ['#22683f', 0],
        ['#ff9b94', 1],
        ['#7fd1a0', 1],
      ] as const)
        expect(contrastOf(of, palettes[name][ground][side]), `${name} ${of}`).toBeGreaterThanOrEqual(text)
})

test('the focus and errors have the same colors in all palettes, and are seen there', () => {
  const css = readFileSync(new URL('../../web/look.css', import.meta.url), 'utf8')
  const [, ...focus] = /--color-focus: light-dark\((#\w{6}), (#\w{6})\)/.exec(css) ?? []
  for (const name of paletteNames) {
    for (const ground of ['page', 'surface', 'raised'] as const)
      for (const [side, at] of sides) {
        const says = `${name}, ${side}: focus on ${ground}`
        expect(contrastOf(focus[at] ?? '', palettes[name][ground][at]), says).toBeGreaterThanOrEqual(large)
      }
    expect(looksCss(looksOf({ palette: name, accent: '#702050' }))).not.toMatch(
      /--color-(focus|danger|success)/,
    )
  }
})

test('the first palette is that of the style sheet', () => {
  const css = readFileSync(new URL('../../web/look.css', import.meta.url), 'utf8')
  for (const [name, [light, dark]] of Object.entries(palettes.parchment))
    expect(css).toContain(`--color-${name.replace('_', '-')}: light-dark(${light}, ${dark});`)
  expect(looksCss(sampleBook.looks)).toBe('')
})

test('an accent that cannot be read is refused with one that can; an accepted one can be read everywhere', () => {
  let refused = 0
  for (const palette of paletteNames)
    for (let hue = 0; hue < 4096; hue += 7) {
      const accent = `#${hue.toString(16).padStart(3, '0').replaceAll(/./g, '$&$&')}`
      const fault = findAccentFault(looksOf({ palette, accent }))
      if (!fault) {
        expectReadable(resolveLooks(looksOf({ palette, accent })), `${palette} with ${accent}`)
        continue
      }
      refused += 1
      expect(findAccentFault(looksOf({ palette, accent: fault.readable })), fault.says).toBeUndefined()
    }
  expect(refused).toBeGreaterThan(0)
  expect(findAccentFault(looksOf({ accent: '#b8862f' }))?.says).toBe(
    'This color is too light to be read on the page: its contrast is 3.0 : 1, and 4.5 : 1 is needed. Choose a darker one, such as #906925.',
  )
  const parsed = looks.safeParse(looksOf({ palette: 'sage', accent: '#ffff00' }))
  expect(parsed.error?.issues.map(({ path }) => path)).toEqual([['accent']])
})

test('whatever the colors of a cover are, all text and borders can be read, and so can any accent beside them', () => {
  const css = readFileSync(new URL('../../web/look.css', import.meta.url), 'utf8')
  const fixed = ['focus', 'danger', 'success'].map((name) => {
    const [, ...pair] = new RegExp(`--color-${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css) ?? []
    return { name, pair, least: name === 'focus' ? large : text }
  })
  const every = (step: number) =>
    Array.from({ length: Math.ceil(4096 / step) }, (_, at) => (at * step).toString(16).padStart(3, '0')).map(
      (digits) => `#${digits.replaceAll(/./g, '$&$&')}`,
    )
  for (const [at, main] of every(41).entries())
    for (const accent of every(211)) {
      const palette = coverPalette({ main, accent })
      expectReadable(palette, `${main} with ${accent}`)
      for (const { name, pair, least } of fixed)
        for (const ground of ['page', 'surface'] as const)
          for (const [side, of] of sides)
            expect(
              contrastOf(pair[of] ?? '', palette[ground][of]),
              `${name} on the ${side} ${ground} of ${main}`,
            ).toBeGreaterThanOrEqual(least)
      if (at % 8 > 0) continue
      const chosen = looksOf({ cover_colors: { main, accent: main }, uses_cover_colors: true, accent })
      if (!findAccentFault(chosen)) expectReadable(resolveLooks(chosen), `${main}, ${accent} chosen`)
    }
})

test('the light behind the book is the cover’s second color, as light as the sample’s; without one it is that of the gold', () => {
  const cover_colors = { main: '#2d656c', accent: '#2d656c' }
  const css = (colors: Looks['cover_colors']) =>
    /--color-glow:light-dark\((#\w{6}),/.exec(
      looksCss(looksOf({ cover_colors: colors, uses_cover_colors: true })),
    )?.[1]
  expect(css({ ...cover_colors, light: '#edb78c' })).toBe('#ffd9bc')
  expect(css({ ...cover_colors, light: '#7a3b12' })).toBe('#fed9c5')
  expect(css(cover_colors)).toMatch(/^#[a-c]/)
})

test('only colors reach the page’s style', () => {
  for (const accent of ['red', '#fff', '#12345g', '#123456;}', '</style><script>'])
    expect(looks.safeParse(looksOf({ palette: 'ink', accent })).success).toBe(false)
  for (const main of ['red', '#123456;}']) {
    const cover_colors = { main, accent: '#702050' }
    expect(draftLooks.safeParse(looksOf({ cover_colors, uses_cover_colors: true })).success).toBe(false)
  }
  const css = looksCss(looksOf({ palette: 'harbor', accent: '#702050' }))
  expect(css).toMatch(/^:root\{(--color-[a-z-]+:light-dark\(#[0-9a-f]{6,8},#[0-9a-f]{6,8}\);?)+\}$/)
  expect(css).toContain('--color-gold-text:light-dark(#702050,')
})

// Covers that are drawn: each the same for the same book, with texts that can be read.

const book = (given: Partial<BookDocument> = {}): BookDocument => ({
  ...sampleBook,
  title: 'Songs of the Road',
  product: '',
  ...given,
})

const everyLooks = [
  ...paletteNames.map((palette) => looksOf({ palette })),
  ...['#001', '#123', '#700', '#ff0', '#0f8', '#fff', '#888', '#08f', '#f0f'].map((digits) => {
    const color = digits.replaceAll(/[^#]/g, '$&$&')
    return looksOf({ uses_cover_colors: true, cover_colors: { main: color, accent: color } })
  }),
]

test('the same book is drawn in the same way, and another book in another', () => {
  expect(drawCover(book())).toEqual(drawCover(book()))
  const words = sampleBook.words.slice(0, 7)
  expect(drawCover(book({ words })).shapes).not.toEqual(drawCover(book()).shapes)
})

test('a book that was saved with a style of its cover gets this one', () => {
  const looks = draftLooks.parse({ ...sampleBook.looks, cover_style: 'frame' })
  expect(drawCover(book({ looks }))).toEqual(drawCover(book()))
})

test('title and author can be read on covers of all colors', () => {
  for (const looks of everyLooks) {
    const [ground, first, floor] = drawCover(book({ looks })).shapes
    // The title stands above the first arch, the author on the floor before it.
    for (const shape of [ground, first, floor])
      expect(contrastOf(coverInk, shape?.fill ?? ''), shape?.fill).toBeGreaterThanOrEqual(minContrast.text)
  }
})
