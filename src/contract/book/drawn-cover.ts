// The cover of a book that has no picture of one, in one of three styles, with its title in any script.
import { mixColors, sampleColors, contrastOf } from './colors.ts'
import { coverSize, coverInks, coverLayouts, type CoverStyle } from './cover-styles.ts'
import { minContrast, type Palette } from './palettes.ts'
import { hasDefaultColors, resolveLooks } from './looks.ts'
import type { DrawnCover } from './shown-book.ts'
import { splitTitle } from './split-title.ts'
import type { BookDocument } from './book.ts'
import { drawArches, drawFrame, drawHorizon, floorLight } from './cover-shapes.ts'
import { fitSize } from './letter-sizes.ts'

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
