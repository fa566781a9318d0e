// The cover's idea in small: the browser tab's mark, the home screen's icon, the card that links show.
import { coverSize } from '#contract/book/cover-layout.ts'
import { drawCover, drawWords, palette, titleParts } from './cover.ts'
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

/** Four times as large as it is shown: letters are cut in whole units. Its title is set as on the cover. */
export async function drawSocialCard(): Promise<string> {
  const display = await cutLettering(480, 144)
  const { large, small } = titleParts()
  const line = { x: 3200, width: 2560, color: palette.ink }
  const cover = (await drawCover()).replace(
    '<svg ',
    `<svg x="384" y="240" width="${(2040 / coverSize.height) * coverSize.width}" height="2040" `,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4800 2520"><path fill="${palette.parchment}" d="M0 0h4800v2520H0z"/>${cover}
${drawWords(display, { ...line, text: large, size: 680, baseline: 1280 })}
${drawWords(display, { ...line, text: small, size: 264, baseline: 1640 })}</svg>`
}
