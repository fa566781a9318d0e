// The shapes drawn on covers, in units of a page of 2200 × 3400, and always the same for the same book.
import { sampleColors } from './colors.ts'
import { coverSize } from './cover-layout.ts'
import type { DrawnCover } from './shown-book.ts'

type Shapes = DrawnCover['shapes']

const middle = coverSize.width / 2
const maxArches = 12

/** A nave in perspective: each arch is a fixed part of the one before it, about one vanishing point. */
export function drawArches(words: number, dawn: readonly string[]): Shapes {
  const count = Math.min(Math.max(words, 2), maxArches)
  const shine = (light: number) => sampleColors(dawn, light)
  const vanishing = 2400
  const ratio = 0.145 ** (1 / (count - 1))
  const arches = Array.from({ length: count }, (_, index) => {
    const scale = ratio ** index
    return {
      half: Math.round(890 * scale),
      spring: Math.round(vanishing - 190 * scale),
      foot: Math.round(vanishing + 1330 * scale),
      light: index / (count - 1),
    }
  })
  return arches.flatMap(({ half, spring, foot, light }, index) => {
    const arch = `M${middle - half} ${foot}V${spring}a${half} ${half} 0 0 1 ${2 * half} 0V${foot}z`
    const plane = { d: arch, fill: shine(light), stroke: shine(light + 0.14) }
    const next = arches[index + 1]
    if (!next) return [plane]
    // The light that falls through the door lies on the floor and fades with every step.
    const near = Math.round((foot - vanishing) * 0.62)
    const far = Math.round((next.foot - vanishing) * 0.62)
    const lit = `M${middle - far} ${next.foot}H${middle + far}L${middle + near} ${foot}H${middle - near}z`
    return [plane, { d: lit, fill: shine(floorLight + (1 - floorLight) * light) }]
  })
}

/** The share of the way from dark to light that the floor before the first arch has: the author's name stands there. */
export const floorLight = 0.46
