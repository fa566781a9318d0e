// Draws the book's cover: one arch for each of its words, each within the last, and a lit doorway at the end of them.
// Takes its words from content/book.ts; any title fits.
import { book } from '#content/book.ts'
import { drawArches } from '#contract/book/cover-shapes.ts'
import { parchmentDawn } from '#contract/book/drawn-cover.ts'
import { coverSize } from '#contract/book/cover-layout.ts'
import { type Lettering, breakLines, cutLettering } from './lettering.ts'

export const palette = { night: '#11172D', ink: '#1B2440', parchment: '#FAF6EE', gold: '#D9A441' }
const { width, height } = coverSize
const middle = width / 2
const titleBox = { width: width - 440, middle: 660 }
type CoverWords = { title: string; product: string; author: { name: string }; words: readonly unknown[] }

export async function drawCover(words: CoverWords = book): Promise<string> {
  const display = await cutLettering(480, 144)
  const small = await cutLettering(520, 20)
  const byLine = { x: middle, width: titleBox.width, color: palette.parchment }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(`${words.title}, by ${words.author.name}`)}">
<path fill="${palette.night}" d="M0 0h${width}v${height}H0z"/>
${arches(words.words.length)}
${drawTitle(display, words)}
${drawWords(small, { ...byLine, text: words.author.name.toUpperCase(), size: 62, baseline: 3250, tracking: 0.24 })}
</svg>
`
}

/** The words that carry the title stand large; what follows them stands below, smaller. */
function drawTitle(display: Lettering, words: CoverWords): string {
  const { large, small } = titleParts(words)
  const head = breakLines(display, large, { ...titleBox, size: 470, height: small ? 700 : 980 })
  const tail = breakLines(display, small, { ...titleBox, size: 172, height: 360 })
  const lines = [head, tail].flatMap(({ lines, size }) => lines.map((text) => ({ text, size })))
  let baseline = titleBox.middle - lines.reduce((sum, { size }) => sum + size, 0) / 2 - 40
  return lines
    .map(({ text, size }, index) => {
      baseline += size * (index ? 1.08 : 0.94)
      if (index === head.lines.length) baseline += 70
      return drawWords(display, {
        text,
        size,
        x: middle,
        width: titleBox.width,
        baseline,
        color: palette.parchment,
      })
    })
    .join('\n')
}

function arches(words: number): string {
  return drawArches(words, parchmentDawn)
    .map(
      ({ d, fill, stroke }) =>
        `<path d="${d}" fill="${fill}"${stroke ? ` stroke="${stroke}" stroke-width="5"` : ''}/>`,
    )
    .join('\n')
}

/** "Nine P’s" and "that Change Everything". A title that does not begin with its product is all large. */
export function titleParts(words: CoverWords = book): { large: string; small: string } {
  const title = words.title.replaceAll("'", '’')
  const large = words.product.replaceAll("'", '’')
  if (!title.startsWith(large)) return { large: title, small: '' }
  return { large, small: title.slice(large.length).trim() }
}

export type Words = {
  text: string
  /** Made smaller where the words would be wider than `width`. */
  size: number
  width: number
  /** The middle of the line. */
  x: number
  baseline: number
  color: string
  tracking?: number
}

export function drawWords(lettering: Lettering, words: Words): string {
  const { text, size, width, tracking = 0 } = words
  const fitted = Math.min(size, (size * width) / lettering.width(text, size, tracking))
  const x = words.x - lettering.width(text, fitted, tracking) / 2
  return `<path fill="${words.color}" d="${lettering.outline(text, fitted, x, words.baseline, tracking)}"/>`
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.codePointAt(0)};`)
}
