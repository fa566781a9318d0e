// What is drawn on covers, in units of a page of 2200 × 3400, and always the same for the same book.
import { mixColors, sampleColors } from './colors.ts'
import { coverSize } from './cover-styles.ts'
import type { DrawnCover } from './shown-book.ts'

type Shapes = DrawnCover['shapes']

const { width, height } = coverSize
const middle = width / 2
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
    // What falls through the door lies on the floor and fades with every step.
    const near = Math.round((foot - vanishing) * 0.62)
    const far = Math.round((next.foot - vanishing) * 0.62)
    const lit = `M${middle - far} ${next.foot}H${middle + far}L${middle + near} ${foot}H${middle - near}z`
    return [plane, { d: lit, fill: shine(floorLight + (1 - floorLight) * light) }]
  })
}

/** How far the floor before the first arch is from its dark to the light: the author's name stands there. */
export const floorLight = 0.46

type FrameColors = { paper: string; line: string; night: string }

/** A sheet within a border, and a rosette with a petal for each word. */
export function drawFrame(words: number, { paper, line, night }: FrameColors): Shapes {
  const inner = (inset: number) => {
    const notch = 90
    const [right, foot] = [width - inset, height - inset]
    const arc = (dx: number, dy: number) => `a${notch} ${notch} 0 0 0 ${dx} ${dy}`
    return `M${inset + notch} ${inset}H${right - notch}${arc(notch, notch)}V${foot - notch}${arc(-notch, notch)}H${inset + notch}${arc(-notch, -notch)}V${inset + notch}${arc(notch, -notch)}z`
  }
  const count = Math.min(Math.max(words, 6), 16)
  const pale = mixColors(paper, line, 0.28)
  const center = { x: middle, y: 2310 }
  const petals = (length: number, half: number, turn: number) =>
    Array.from({ length: count }, (_, at) =>
      petal(center, ((at + turn) / count) * 2 * Math.PI, length, half),
    ).join('')
  const wide = Math.sin(Math.PI / count)
  return [
    { d: inner(110), fill: paper },
    { d: inner(165), fill: line },
    { d: inner(177), fill: paper },
    { d: petals(470, 470 * wide * 0.62, 0.5), fill: pale },
    { d: petals(400, 400 * wide * 0.62, 0), fill: line },
    { d: disc(center, 96), fill: paper },
    { d: disc(center, 70), fill: night },
    { d: disc({ x: middle, y: 2890 }, 14), fill: line },
    { d: `M${middle - 190} 2887h150v6h-150zM${middle + 40} 2887h150v6h-150z`, fill: line },
  ]
}

type Point = { x: number; y: number }

function disc({ x, y }: Point, r: number): string {
  return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`
}

/** From the center outwards, pointed at both ends. */
function petal({ x, y }: Point, angle: number, length: number, half: number): string {
  const at = (along: number, across: number) => {
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
    return `${Math.round(x + along * cos - across * sin)} ${Math.round(y + along * sin + across * cos)}`
  }
  return `M${at(0, 0)}Q${at(length * 0.55, half)} ${at(length, 0)}Q${at(length * 0.55, -half)} ${at(0, 0)}z`
}

type HorizonColors = { sun: string; halo: string; hills: readonly string[] }

/** A sun above hills, whose lines follow from the book's title. */
export function drawHorizon(title: string, { sun, halo, hills }: HorizonColors): Shapes {
  const next = randomOf(title)
  const x = Math.round(middle + (next() - 0.5) * 700)
  const ridges = hills.map((fill, at) => {
    const base = 2080 + at * ((height - 2080) / (hills.length + 0.35))
    const ends = [0, 1, 2, 3].map(() => Math.round(base + (next() - 0.5) * 300))
    const [start, one, two, end] = ends
    const bend = Math.round(600 + next() * 300)
    return {
      d: `M0 ${start}C${bend} ${one} ${width - bend} ${two} ${width} ${end}V${height}H0z`,
      fill,
    }
  })
  return [
    { d: disc({ x, y: 1930 }, 620), fill: halo },
    { d: disc({ x, y: 1930 }, 420), fill: sun },
    ...ridges,
  ]
}

/** Numbers from 0 to 1 that follow from a text (FNV-1a, then mulberry32). */
function randomOf(text: string): () => number {
  let state = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) state = Math.imul(state ^ byte, 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
