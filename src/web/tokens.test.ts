// Contrast of the design tokens that make parts of the page visible (WCAG 2.2, 1.4.11: 3:1).
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const css = readFileSync(new URL('app.css', import.meta.url), 'utf8')

function token(name: string, theme: 'light' | 'dark'): string {
  const [, light, dark] = new RegExp(`--color-${name}: light-dark\\(([^,]+), ([^)]+)\\)`).exec(css) ?? []
  return (theme === 'light' ? light : dark) ?? ''
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

test('borders of fields, checkboxes and tabs, and the mark of the chosen tab, stand out in both themes', () => {
  for (const theme of ['light', 'dark'] as const) {
    for (const ground of ['page', 'surface'])
      expect(contrast(token('edge', theme), token(ground, theme)), `${theme} ${ground}`).toBeGreaterThan(3)
    expect(contrast(token('gold-text', theme), token('raised', theme)), theme).toBeGreaterThan(3)
  }
})

test('the dark cover has an edge on a dark page', () => {
  for (const ground of ['page', 'surface'])
    expect(contrast(token('cover-edge', 'dark'), token(ground, 'dark'))).toBeGreaterThan(3)
})
