// Draws the book's cover: one arch for each of its words, each within the last, and a lit doorway at the end of them.
// Takes its words from content/book.ts; any title fits.
import { book } from '#content/book.ts'
import { type Lettering, breakLines, cutLettering } from './lettering.ts'

export const palette = { night: '#11172D', ink: '#1B2440', parchment: '#FAF6EE', gold: '#D9A441' }
export const coverSize = { width: 2200, height: 3400 }

const { width, height } = coverSize
const middle = width / 2
const titleBox = { width: width - 440, middle: 660 }
/** From the dark of the first arch to the light behind the last. */
const dawn = [
  '#161D38',
  '#1E284B',
  '#2B355C',
  '#4A4765',
  '#7D6257',
  '#B58A45',
  '#DDB35C',
  '#F3DCA0',
  '#FFF9E8',
]

type CoverWords = { title: string; product: string; author: { name: string }; words: readonly unknown[] }

export async function drawCover(words: CoverWords = book): Promise<string> {
  const display = await cutLettering(480, 144)
  const small = await cutLettering(520, 20)
  const byLine = { x: middle, width: titleBox.width, color: palette.parchment }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(`${words.title}, by ${words.author.name}`)}">
<path fill="${palette.night}" d="M0 0h${width}v${height}H0z"/>
${drawArches(words.words.length)}
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

/** A nave in perspective: each arch is a fixed part of the one before it, about one vanishing point. */
function drawArches(count: number): string {
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
  return arches
    .map(({ half, spring, foot, light }, index) => {
      const arch = `M${middle - half} ${foot}V${spring}a${half} ${half} 0 0 1 ${2 * half} 0V${foot}z`
      const plane = `<path d="${arch}" fill="${shine(light)}" stroke="${shine(light + 0.14)}" stroke-width="5"/>`
      const next = arches[index + 1]
      if (!next) return plane
      // What falls through the door lies on the floor and fades with every step.
      const near = Math.round((foot - vanishing) * 0.62)
      const far = Math.round((next.foot - vanishing) * 0.62)
      const lit = `M${middle - far} ${next.foot}H${middle + far}L${middle + near} ${foot}H${middle - near}z`
      return `${plane}<path d="${lit}" fill="${shine(0.46 + 0.54 * light)}"/>`
    })
    .join('\n')
}

/** The color at `light`, from 0 in the first arch to 1 in the last. */
function shine(light: number): string {
  return sample(dawn, Math.min(light, 1))
}

/** The color at `part` (0 to 1) of the way through `colors`. */
function sample(colors: string[], part: number): string {
  const place = part * (colors.length - 1)
  const index = Math.min(Math.floor(place), colors.length - 2)
  const channels = (color: string) => [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16))
  const [from = [], to = []] = colors.slice(index, index + 2).map(channels)
  return `#${from
    .map((value, at) =>
      Math.round(value + ((to[at] ?? value) - value) * (place - index))
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
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
