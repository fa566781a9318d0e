// The colors that a cover gives to its page.
import { expect, test } from 'vitest'
import { toOklch } from '#contract/book/colors.ts'
import { findColors } from './read-picture.ts'

type Part = [color: string, part: number]

const channelsOf = (color: string) => [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))

function pixelsOf(parts: Part[]): Uint8Array {
  const whole = 400
  return new Uint8Array(
    parts.flatMap(([color, part]) =>
      Array.from({ length: Math.round(whole * part) }, () => channelsOf(color)).flat(),
    ),
  )
}

function expectNear(found: string, wanted: string) {
  for (const [at, channel] of channelsOf(found).entries())
    expect(Math.abs(channel - (channelsOf(wanted)[at] ?? 0)), `${found}, ${wanted}`).toBeLessThanOrEqual(2)
}

test('the main color is that of the largest part, the accent the most vivid that is seen', () => {
  const cases: { parts: Part[]; main: string; accent: string }[] = [
    { parts: [['#1e3a5f', 1]], main: '#1e3a5f', accent: '#1e3a5f' },
    {
      parts: [
        ['#f4efe4', 0.8],
        ['#b02a30', 0.2],
      ],
      main: '#f4efe4',
      accent: '#b02a30',
    },
    // A stamp of half a percent is no accent.
    {
      parts: [
        ['#404040', 0.995],
        ['#ff0000', 0.005],
      ],
      main: '#404040',
      accent: '#404040',
    },
    {
      parts: [
        ['#14324a', 0.7],
        ['#e8a020', 0.1],
        ['#ffffff', 0.2],
      ],
      main: '#14324a',
      accent: '#e8a020',
    },
    {
      parts: [
        ['#808080', 0.5],
        ['#000000', 0.5],
      ],
      main: '#808080',
      accent: '#808080',
    },
  ]
  for (const { parts, main, accent } of cases) {
    const found = findColors(pixelsOf(parts))
    expectNear(found.main, main)
    expectNear(found.accent, accent)
    expect(findColors(pixelsOf(parts))).toEqual(found)
  }
})

test('colors of all hues come back as they were, and white and black have none', () => {
  for (let hue = 0; hue < 4096; hue += 37) {
    const color = `#${hue.toString(16).padStart(3, '0').replaceAll(/./g, '$&$&')}`
    expectNear(findColors(pixelsOf([[color, 1]])).main, color)
  }
  for (const gray of [0, 255]) expect(toOklch(gray, gray, gray).chroma).toBeLessThan(0.001)
  expect(findColors(new Uint8Array())).toEqual({ main: '#808080', accent: '#808080' })
})
