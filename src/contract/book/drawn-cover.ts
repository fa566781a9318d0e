// The cover of a book that has no picture of one, in one of three styles, with its title in any script.
import {
  mixColors,
  sampleColors,
  contrastOf,
  coverSize,
  coverInks,
  coverLayouts,
  type CoverStyle,
  minContrast,
  type Palette,
  hasDefaultColors,
  resolveLooks,
} from './looks.ts'
import { type DrawnCover, splitTitle } from './shown-book.ts'
import type { BookDocument } from './book.ts'

// What is drawn on covers, in units of a page of 2200 × 3400, and always the same for the same book.

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
const floorLight = 0.46

type FrameColors = { paper: string; line: string; night: string }

/** A sheet within a border, and a rosette with a petal for each word. */
function drawFrame(words: number, { paper, line, night }: FrameColors): Shapes {
  const sheet = (inset: number) => {
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
    { d: sheet(110), fill: paper },
    { d: sheet(165), fill: line },
    { d: sheet(177), fill: paper },
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
function drawHorizon(title: string, { sun, halo, hills }: HorizonColors): Shapes {
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

// How large a text of any script can be set in a box, without its font: widths are those of usual letters.

type Box = { width: number; height: number }

/** In parts of a hundred of the cover's width. book.css has a class for each. */
export const letterSizes = [21, 18, 15, 12.5, 10.5, 8.5, 7, 6, 5, 4.2, 3.5, 2.9, 2.4]

/** The place in `letterSizes` of the largest that fits and is not larger than `most`; the last where none does. */
export function fitSize(text: string, box: Box, most = Infinity): number {
  const fits = letterSizes.findIndex((size) => size <= most && fitsAt(text, size, box))
  return fits === -1 ? letterSizes.length - 1 : fits
}

function fitsAt(text: string, size: number, { width, height }: Box): boolean {
  const pieces = piecesOf(text).map((piece) => widthOf(piece) * size)
  if (pieces.some((piece) => piece > width)) return false
  let lines = 1
  let used = 0
  for (const piece of pieces) {
    if (used + piece > width) {
      lines += 1
      used = 0
    }
    used += piece
  }
  return lines * size * 1.15 <= height
}

const isWide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\uff00-\uffef]/u

function piecesOf(text: string): string[] {
  return text.split(/(?<=\s)|(?<=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/u)
}

/** In ems. */
function widthOf(text: string): number {
  return Array.from(text).reduce((sum, letter) => sum + widthOfLetter(letter), 0)
}

function widthOfLetter(letter: string): number {
  if (/\p{M}/u.test(letter)) return 0
  if (isWide.test(letter)) return 1
  if (/\s/.test(letter)) return 0.25
  return /\p{Lu}/u.test(letter) ? 0.68 : 0.52
}

const parchmentNight = '#11172d'
/** From the dark of the first arch to the light behind the last. */
export const parchmentDawn = [
  '#161d38',
  '#1e284b',
  '#2b355c',
  '#4a4765',
  '#7d6257',
  '#b58a45',
  '#ddb35c',
  '#f3dca0',
  '#fff9e8',
]
/** The same for other palettes, as parts of the way from night to gold, and from gold to white. */
const dawnParts = [0.03, 0.08, 0.16, 0.3, 0.5, 0.75, 1]

type Drawing = { ground: string; shapes: DrawnCover['shapes'] }

const sheet = `M0 0h${coverSize.width}v${coverSize.height}H0z`

export function drawCover(
  document: BookDocument,
  style: CoverStyle = document.looks.cover_style,
): DrawnCover {
  const { large, small } = titleOf(document)
  const { subtitle, author } = document
  const { width, height } = coverLayouts[style]
  const { ground, shapes } = drawings[style](document, resolveLooks(document.looks))
  const box = (part: number) => ({ width, height: height * part })
  return {
    style,
    shapes: [{ d: sheet, fill: ground }, ...shapes],
    large: print(large),
    small: print(small),
    subtitle: print(subtitle),
    author: print(author.name),
    sizes: {
      large: fitSize(large, box(0.55)),
      small: fitSize(small, box(0.18), 8),
      subtitle: fitSize(subtitle, box(0.18), 4.2),
      author: fitSize(author.name, box(0.15), 3.5),
    },
  }
}

/** A product in the middle of a title would be read first. */
function titleOf(document: BookDocument): { large: string; small: string } {
  const { before, product, after } = splitTitle(document)
  if (before || !product) return { large: [before, product, after].filter(Boolean).join(' '), small: '' }
  return { large: product, small: after }
}

const drawings: Record<CoverStyle, (document: BookDocument, palette: Palette) => Drawing> = {
  arches({ looks, words }, { night, gold }) {
    if (hasDefaultColors(looks))
      return { ground: parchmentNight, shapes: drawArches(words.length, parchmentDawn) }
    const ground = mixColors(night[0], '#000000', 0.3)
    return { ground, shapes: drawArches(words.length, dawnOf(ground, gold[1])) }
  },
  frame({ words }, { page, gold, night }) {
    const paper = mixColors(page[0], gold[0], 0.05)
    const shapes = drawFrame(words.length, { paper, line: gold[0], night: night[0] })
    return { ground: night[0], shapes }
  },
  horizon(document, { gold, night }) {
    const hills = [0.3, 0.5, 0.7, 0.86, 1].map((part) => mixColors(gold[0], night[0], part))
    const sun = mixColors(gold[1], '#ffffff', 0.12)
    const shapes = drawHorizon(document.title + document.product, {
      sun,
      halo: mixColors(gold[1], '#ffffff', 0.55),
      hills,
    })
    return { ground: mixColors(gold[1], '#ffffff', 0.78), shapes }
  },
}

/** Dark enough where the author's name stands. */
function dawnOf(night: string, gold: string): string[] {
  for (let part = 1; ; part -= 0.05) {
    const dawn = [
      ...dawnParts.map((each, at) => mixColors(night, gold, at > 4 ? each : each * part)),
      mixColors(gold, '#ffffff', 0.55),
      mixColors(gold, '#ffffff', 0.93),
    ]
    const isRead = contrastOf(sampleColors(dawn, floorLight), coverInks.light) >= minContrast.text
    if (isRead || part <= 0) return dawn
  }
}

/** At these sizes a straight apostrophe is noticed. */
function print(text: string): string {
  return text.replaceAll("'", '’')
}
