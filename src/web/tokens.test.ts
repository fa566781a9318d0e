// Contrast of the design tokens that make parts of the page visible (WCAG 2.2, 1.4.11: 3:1).
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contrastOf } from '#contract/book/colors.ts'

const css = readFileSync(new URL('look.css', import.meta.url), 'utf8')

function token(name: string, theme: 'light' | 'dark'): string {
  const [, light, dark] = new RegExp(`--color-${name}: light-dark\\(([^,]+), ([^)]+)\\)`).exec(css) ?? []
  return (theme === 'light' ? light : dark) ?? ''
}

test('borders of fields, checkboxes and tabs, and the mark of the chosen tab, stand out in both themes', () => {
  for (const theme of ['light', 'dark'] as const) {
    for (const ground of ['page', 'surface'])
      expect(contrastOf(token('edge', theme), token(ground, theme)), `${theme} ${ground}`).toBeGreaterThan(3)
    expect(contrastOf(token('gold-text', theme), token('raised', theme)), theme).toBeGreaterThan(3)
  }
})

test('the bars of a chart, and the line that is drawn over them, stand out in both themes', () => {
  for (const theme of ['light', 'dark'] as const)
    for (const name of ['bar', 'bar-before'])
      expect(contrastOf(token(name, theme), token('surface', theme)), `${theme} ${name}`).toBeGreaterThan(3)
})

test('the dark cover has an edge on a dark page', () => {
  for (const ground of ['page', 'surface'])
    expect(contrastOf(token('cover-edge', 'dark'), token(ground, 'dark'))).toBeGreaterThan(3)
})
