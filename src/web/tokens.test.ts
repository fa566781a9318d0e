// Contrast of the design tokens, in light and dark (WCAG 2.2, level AA): of text on what it stands on (1.4.3), and of what
// makes parts of the page visible (1.4.11). In a browser the pages are looked at in light alone.
import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contrastOf, mixColors } from '#contract/book/colors.ts'
import { minContrast, paletteNames, palettes, type Palette } from '#contract/book/palettes.ts'

const css = readFileSync(new URL('look.css', import.meta.url), 'utf8')

const themes = ['light', 'dark'] as const
type Theme = (typeof themes)[number]

function token(name: string, theme: Theme): string {
  const [, light, dark] = new RegExp(`--color-${name}: light-dark\\(([^,]+), ([^)]+)\\)`).exec(css) ?? []
  return (theme === 'light' ? light : dark) ?? ''
}

const sources = globSync('**/*.{ts,tsx}', { cwd: import.meta.dirname })
  .filter((path) => !path.includes('.test.') && !path.startsWith('generated/'))
  .map((path) => readFileSync(new URL(path, import.meta.url), 'utf8'))
  .join('\n')

const tokenNames = [...css.matchAll(/--color-([\w-]+): light-dark/g)].map(([, name]) => name)

/** The colors of the classes that begin with `prefix`, as `gold/10` of `bg-gold/10`; not those of what is disabled. */
function colorsOf(prefix: 'bg' | 'text'): string[] {
  const classes = new RegExp(
    `(?<!disabled:|[\\w-])${prefix}-((?:${tokenNames.join('|')})(?:/\\d+)?)(?![\\w/-])`,
    'g',
  )
  return [...new Set([...sources.matchAll(classes)].map(([, color = '']) => color))]
}

function colorIn(palette: Palette, name: string, theme: Theme): string {
  const own = new Map(Object.entries(palette)).get(name.replace('-', '_'))
  return own?.[themes.indexOf(theme)] ?? token(name, theme)
}

/** `gold/10` is a tenth of gold over what is below it. */
function colorOver(below: string, name: string, palette: Palette, theme: Theme): string {
  const [base = '', percent = '100'] = name.split('/')
  return mixColors(below, colorIn(palette, base, theme), Number(percent) / 100)
}

/** Pages, cards, dialogs and notices have these colors, and tints lie on them. */
const grounds = ['page', 'surface']
/** These hold no text. */
const textless = ['bar', 'bar/25', 'gold', 'line']
/** Text on these has the color of the page. */
const filled = ['ink', 'ink/85', 'danger', 'danger/85']

test('all text can be read on all that it may stand on, in each palette and both themes', () => {
  const tints = colorsOf('bg').filter((name) => ![...grounds, ...textless, ...filled].includes(name))
  expect(tints).toEqual(expect.arrayContaining(['raised', 'gold/10', 'ink/5', 'success/12', 'danger/8']))
  // Gold is of large letters, and of a band of night.
  const texts = colorsOf('text').filter((name) => !['page', 'gold'].includes(name))
  expect(texts).toEqual(expect.arrayContaining(['ink', 'ink/80', 'soft', 'gold-text', 'danger', 'success']))
  const stands = [
    ...[...grounds, ...tints].flatMap((on) => texts.map((text) => ({ text, on }))),
    ...filled.map((on) => ({ text: 'page', on })),
  ]
  for (const name of paletteNames)
    for (const theme of themes)
      for (const ground of grounds)
        for (const { text, on } of stands) {
          const palette = palettes[name]
          const below = colorOver(colorIn(palette, ground, theme), on, palette, theme)
          const contrast = contrastOf(colorOver(below, text, palette, theme), below)
          const says = `${name}, ${theme}: ${text} on ${on} on ${ground}`
          expect.soft(contrast, says).toBeGreaterThanOrEqual(minContrast.text)
        }
})

test('a band of night is read in the colors of the dark, in both themes', () => {
  for (const theme of themes)
    for (const text of ['ink', 'soft', 'gold', 'gold-text'])
      expect(
        contrastOf(token(text, 'dark'), token('night', theme)),
        `${theme}: ${text}`,
      ).toBeGreaterThanOrEqual(minContrast.text)
})

test('white and black have the tokens that classes name', () => {
  const named = new Set([...sources.matchAll(/(?<=-)(?:white|black)(?![\w-])/g)].map(([name]) => name))
  for (const name of named) expect(css).toContain(`--color-${name}: `)
  expect([...named]).toContain('white')
})

test('no class tells light from dark: the tokens do', () => {
  expect(sources).not.toMatch(/[\s"'`]dark:/)
})

test('borders of fields, checkboxes and tabs, and the mark of the chosen tab, stand out in both themes', () => {
  for (const theme of themes) {
    for (const ground of ['page', 'surface'])
      expect(contrastOf(token('edge', theme), token(ground, theme)), `${theme} ${ground}`).toBeGreaterThan(3)
    expect(contrastOf(token('gold-text', theme), token('raised', theme)), theme).toBeGreaterThan(3)
  }
})

test('the bars of a chart, and the line that is drawn over them, stand out in both themes', () => {
  for (const theme of themes)
    for (const name of ['bar', 'bar-before'])
      expect(contrastOf(token(name, theme), token('surface', theme)), `${theme} ${name}`).toBeGreaterThan(3)
})

test('the dark cover has an edge on a dark page', () => {
  for (const ground of ['page', 'surface'])
    expect(contrastOf(token('cover-edge', 'dark'), token(ground, 'dark'))).toBeGreaterThan(3)
})
