// A palette made of the colors of the book’s cover: its main color tints the page and the ink, its most vivid one is the
// accent, and a second one the light behind the book. Lightness is ours, so that everything can be read; a test holds it to the contrasts of all palettes.
import type { PictureColors } from '../files/pictures.ts'
import { type ColorPair, type Palette, minContrast } from './palettes.ts'
import { contrastOf } from './colors.ts'
import { type Oklch, fromOklch, toOklch } from './oklch.ts'

const { text, large } = minContrast

export function coverPalette({ main, accent, light: lit }: PictureColors): Palette {
  const of = parse(main)
  const tint = (lightness: number, maxChroma: number) =>
    fromOklch({ lightness, chroma: Math.min(of.chroma, maxChroma), hue: of.hue })
  const page = [tint(0.973, 0.009), tint(0.205, 0.028)] as const
  const surface = [tint(0.995, 0.003), tint(0.25, 0.032)] as const
  const raised = ['#ffffff', tint(0.36, 0.04)] as const
  const night = [tint(0.265, 0.05), surface[1]] as const
  const light = (needed: number, from: number) => darken(parse(accent), [page[0], surface[0]], needed, from)
  const dark = (needed: number, from: number) =>
    lighten(parse(accent), [page[1], surface[1], night[1]], needed, from)
  return {
    page,
    surface,
    ink: [tint(0.265, 0.05), tint(0.94, 0.012)],
    soft: [tint(0.47, 0.035), tint(0.78, 0.02)],
    line: [tint(0.895, 0.018), tint(0.36, 0.035)],
    edge: [tint(0.6, 0.03), tint(0.62, 0.04)],
    raised,
    gold: [light(large, 0.64), dark(text, 0.76)],
    gold_text: [light(text, 0.52), dark(text, 0.78)],
    night,
    ...(lit && { glow: glowOf(parse(lit)) }),
  }
}

/** As light as the sample’s. */
function glowOf({ chroma, hue }: Oklch): ColorPair {
  return [
    fromOklch({ lightness: 0.91, chroma: Math.min(chroma, 0.085), hue }),
    fromOklch({ lightness: 0.79, chroma: Math.min(chroma, 0.115), hue }),
  ]
}

function parse(color: string): Oklch {
  const channel = (at: number) => Number.parseInt(color.slice(at, at + 2), 16)
  return toOklch(channel(1), channel(3), channel(5))
}

/** Keeps the color as light as it can: no lighter than it is or `from`, and readable on these grounds. */
function darken(color: Oklch, grounds: readonly string[], needed: number, from: number): string {
  return approachLightness(color, grounds, { needed, start: Math.min(color.lightness, from), step: -0.01 })
}

function lighten(color: Oklch, grounds: readonly string[], needed: number, from: number): string {
  return approachLightness(color, grounds, { needed, start: Math.max(color.lightness, from), step: 0.01 })
}

type LightnessSteps = { needed: number; start: number; step: number }

function approachLightness(
  { chroma, hue }: Oklch,
  grounds: readonly string[],
  { needed, start, step }: LightnessSteps,
): string {
  for (let lightness = start; ; lightness += step) {
    const color = fromOklch({ lightness, chroma, hue })
    const isRead = grounds.every((ground) => contrastOf(color, ground) >= needed)
    if (isRead || lightness <= 0 || lightness >= 1) return color
  }
}
