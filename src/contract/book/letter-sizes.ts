// The size at which a text of any script fits into a box, without its font: widths are those of usual letters.

type Box = { width: number; height: number }

/** Parts of a hundred of the cover's width. book.css has a class for each. */
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

/** Returns ems. */
function widthOf(text: string): number {
  return Array.from(text).reduce((sum, letter) => sum + widthOfLetter(letter), 0)
}

function widthOfLetter(letter: string): number {
  if (/\p{M}/u.test(letter)) return 0
  if (isWide.test(letter)) return 1
  if (/\s/.test(letter)) return 0.25
  return /\p{Lu}/u.test(letter) ? 0.68 : 0.52
}
