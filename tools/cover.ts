// Draws the book's cover: nine arches, one within the other, and the light behind the last of them.
// Takes its words from content/book.ts; any title fits.
import { book } from '../content/book.ts'
import { type Lettering, cutLettering } from './lettering.ts'

export const palette = {
  ink: '#1B2440',
  night: '#12182E',
  parchment: '#FAF6EE',
  gold: '#D9A441',
  deepGold: '#B8862F',
}
export const coverSize = { width: 1100, height: 1700 }

const middle = coverSize.width / 2
const margin = 110
const arches = book.words.length

export async function drawCover(): Promise<string> {
  const display = await cutLettering(500, 144)
  const small = await cutLettering(500, 20)
  const { width, height } = coverSize
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeXml(`${book.title}, ${book.author.name}`)}">
<defs>
<radialGradient id="glow" gradientUnits="userSpaceOnUse" cx="${middle}" cy="1130" r="640"><stop offset="0" stop-color="#F2C76B" stop-opacity=".55"/><stop offset=".45" stop-color="#D9A441" stop-opacity=".16"/><stop offset="1" stop-color="#D9A441" stop-opacity="0"/></radialGradient>
<linearGradient id="door" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#FFFDF6"/><stop offset="1" stop-color="#F8E3AE"/></linearGradient>
<linearGradient id="floor" gradientUnits="userSpaceOnUse" x1="0" y1="1290" x2="0" y2="1700"><stop offset="0" stop-color="#F8E3AE" stop-opacity=".95"/><stop offset="1" stop-color="#D9A441" stop-opacity=".12"/></linearGradient>
</defs>
<path fill="${palette.night}" d="M0 0h${width}v${height}H0z"/>
${drawArches()}
${drawTitle(display)}
${drawWords(small, { ...line, text: book.author.name.toUpperCase(), size: 30, baseline: 1630, tracking: 0.22 })}
</svg>
`
}

/** Perspective of a nave: each arch is a fixed part of the one before it, about one vanishing point. */
function drawArches(): string {
  const vanishing = 1200
  const ratio = 0.79
  const outlines = Array.from({ length: arches }, (_, index) => {
    const scale = ratio ** index
    const half = 440 * scale
    const spring = vanishing - 100 * scale
    const foot = vanishing + 640 * scale
    const path = `M${f(middle - half)} ${f(foot)}V${f(spring)}A${f(half)} ${f(half)} 0 0 1 ${f(middle + half)} ${f(spring)}V${f(foot)}`
    return { path, half, foot, strength: (index + 1) / arches }
  })
  const last = outlines.at(-1)!
  return `${outlines
    .map(
      ({ path, strength }) =>
        `<path d="${path}" fill="${palette.ink}" fill-opacity=".4" stroke="${palette.gold}" stroke-opacity="${f(0.25 + 0.75 * strength)}" stroke-width="${f(5)}"/>`,
    )
    .join('\n')}
<path fill="url(#glow)" d="M0 500h1100v1200H0z"/>
<path fill="url(#floor)" d="M${f(middle - last.half)} ${f(last.foot)}h${f(last.half * 2)}L${f(middle + 300)} 1700H${f(middle - 300)}z"/>
<path d="${last.path}" fill="url(#door)"/>`
}

/** "Nine P’s" and "that Change Everything": the words that carry a title, and what follows them. */
export function titleParts(): { large: string; small: string } {
  const title = book.title.replaceAll("'", '’')
  const large = book.product.replaceAll("'", '’')
  if (!title.startsWith(large)) return { large: title, small: '' }
  return { large, small: title.slice(large.length).trim() }
}

function drawTitle(display: Lettering): string {
  const { large, small } = titleParts()
  return (
    drawWords(display, { ...line, text: large, size: 230, baseline: 300 }) +
    drawWords(display, { ...line, text: small, size: 82, baseline: 430 })
  )
}

const line = { x: middle, width: coverSize.width - 2 * margin, color: palette.parchment }

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
  const { size, width, tracking = 0 } = words
  const text = words.text.replaceAll("'", '’')
  const fitted = Math.min(size, (size * width) / lettering.width(text, size, tracking))
  const x = words.x - lettering.width(text, fitted, tracking) / 2
  return `<path fill="${words.color}" d="${lettering.outline(text, fitted, x, words.baseline, tracking)}"/>`
}

function f(value: number): string {
  return String(Math.round(value * 10) / 10)
}

export function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.codePointAt(0)};`)
}
