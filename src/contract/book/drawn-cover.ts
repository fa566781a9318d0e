// The cover of a book that has no picture of one, with its title in any script: arches, one for each of its words.
import { mixColors, sampleColors, contrastOf } from './colors.ts'
import { coverSize, coverInk, coverLayout } from './cover-layout.ts'
import { minContrast } from './palettes.ts'
import { hasDefaultColors, resolveLooks, type Looks } from './looks.ts'
import type { DrawnCover } from './shown-book.ts'
import { splitTitle } from './split-title.ts'
import type { BookDocument } from './book.ts'
import { drawArches, floorLight } from './cover-shapes.ts'
import { fitSize } from './letter-sizes.ts'

const parchmentNight = '#11172d'
/** The colors from the dark of the first arch to the light behind the last. */
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

const sheet = `M0 0h${coverSize.width}v${coverSize.height}H0z`

export function drawCover(document: BookDocument): DrawnCover {
  const { large, small } = titleOf(document)
  const { subtitle, author, words, looks } = document
  const { width, height } = coverLayout
  const { ground, dawn } = colorsOf(looks)
  const box = (part: number) => ({ width, height: height * part })
  return {
    shapes: [{ d: sheet, fill: ground }, ...drawArches(words.length, dawn)],
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

function colorsOf(looks: Looks): { ground: string; dawn: readonly string[] } {
  if (hasDefaultColors(looks)) return { ground: parchmentNight, dawn: parchmentDawn }
  const { night, gold } = resolveLooks(looks)
  const ground = mixColors(night[0], '#000000', 0.3)
  return { ground, dawn: dawnOf(ground, gold[1]) }
}

/** Dark enough where the author's name stands. */
function dawnOf(night: string, gold: string): string[] {
  for (let part = 1; ; part -= 0.05) {
    const dawn = [
      ...dawnParts.map((each, at) => mixColors(night, gold, at > 4 ? each : each * part)),
      mixColors(gold, '#ffffff', 0.55),
      mixColors(gold, '#ffffff', 0.93),
    ]
    const isRead = contrastOf(sampleColors(dawn, floorLight), coverInk) >= minContrast.text
    if (isRead || part <= 0) return dawn
  }
}

/** Replaces straight apostrophes, which are noticed at these sizes. */
function print(text: string): string {
  return text.replaceAll("'", '’')
}
