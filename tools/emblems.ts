// The cover's idea in small: the browser tab's mark, the home screen's icon, the card that links show.
import { book } from '../content/book.ts'
import { coverSize, drawCover, drawWords, palette } from './cover.ts'
import { cutLettering } from './lettering.ts'

/** Three arches instead of nine: what is left to see at 16 pixels. */
export function drawMark(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="${palette.ink}"/>${archway}</svg>\n`
}

/** Fills its square: phones cut their own shape from it. */
export function drawIcon(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-8 -8 48 48"><path d="M-8-8h48v48H-8z" fill="${palette.ink}"/>${archway}</svg>`
}

const archway = `<path d="M6.5 27V14.5a9.500 9.500 0 0 1 19 0V27" fill="none" stroke="${palette.gold}" stroke-width="3" stroke-linecap="round"/><path d="M12 28.500V15a4 4 0 0 1 8 0v13.500z" fill="${palette.parchment}"/>`

export async function drawSocialCard(): Promise<string> {
  const display = await cutLettering(500, 144)
  const cover = (await drawCover()).replace(
    '<svg ',
    `<svg x="96" y="60" width="${(510 / coverSize.height) * coverSize.width}" height="510" `,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630"><path fill="${palette.parchment}" d="M0 0h1200v630H0z"/>${cover}${drawWords(display, { text: book.title, size: 60, x: 800, baseline: 300, width: 640, color: palette.ink })}</svg>`
}
