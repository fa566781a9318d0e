// The cover of a book that has no picture of one: an arch for each of its words, and the title above them in any script.
import { mixColors, sampleColors } from './contract/colors.ts'
import type { BookDocument } from './contract/book.ts'
import { resolveLooks } from './contract/looks.ts'
import type { DrawnCover } from './contract/shown-book.ts'
import { fitSize } from './fit-size.ts'

export const coverSize = { width: 2200, height: 3400 }
/** Where the title stands, in parts of a hundred of the width. */
export const titleBox = { width: 80, height: 30 }

const middle = coverSize.width / 2
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

type Titled = { large: string; small: string }

export function drawCover(document: BookDocument, { large, small }: Titled): DrawnCover {
  const palette = resolveLooks(document.looks)
  const isParchment = document.looks.palette === 'parchment' && document.looks.accent === null
  const gold = palette.gold[1]
  const night = isParchment ? parchmentNight : mixColors(palette.night[0], '#000000', 0.3)
  const dawn = isParchment
    ? parchmentDawn
    : [
        ...dawnParts.map((part) => mixColors(night, gold, part)),
        mixColors(gold, '#ffffff', 0.55),
        mixColors(gold, '#ffffff', 0.93),
      ]
  return {
    ground: night,
    shapes: drawArches(document.words.length, dawn),
    large: print(large),
    small: print(small),
    subtitle: print(document.subtitle),
    author: print(document.author.name),
    sizes: { large: fitSize(large, titleBox), small: fitSize(small, { width: 80, height: 10 }, 8) },
  }
}

/** At these sizes a straight apostrophe is noticed. */
function print(text: string): string {
  return text.replaceAll("'", '’')
}

const maxArches = 12

/** A nave in perspective: each arch is a fixed part of the one before it, about one vanishing point. */
export function drawArches(words: number, dawn: readonly string[]): DrawnCover['shapes'] {
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
    return [plane, { d: lit, fill: shine(0.46 + 0.54 * light) }]
  })
}
