// Cuts from the variable fonts of fontsource (SIL Open Font License) what a page, a book or a drawing needs of them.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const faces = {
  fraunces: '@fontsource-variable/fraunces/files/fraunces-latin-full-normal.woff2',
  inter: '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2',
  serif: '@fontsource-variable/source-serif-4/files/source-serif-4-latin-opsz-normal.woff2',
  serifItalic: '@fontsource-variable/source-serif-4/files/source-serif-4-latin-opsz-italic.woff2',
}

/** English and the names of western Europe, with the punctuation, signs and arrows that a page needs. */
const characters = [...range(0x20, 0x7e), ...range(0xa0, 0xff)].join('') + 'ıŒœŠšŸŽž–—‘’‚“”„†•…‹›€™−←↑→↓'

type Axes = Parameters<typeof subsetFont>[2]['variationAxes']

/** Fraunces comes upright and sober: its soft and wonky axes are pinned at 0. */
export async function cutFont(
  face: keyof typeof faces,
  targetFormat: 'sfnt' | 'woff2',
  axes: Axes,
): Promise<Buffer> {
  const sober: Axes = face === 'fraunces' ? { SOFT: 0, WONK: 0 } : {}
  return subsetFont(await readFile(fileURLToPath(import.meta.resolve(faces[face]))), characters, {
    targetFormat,
    variationAxes: { ...sober, ...axes },
  })
}

function range(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
}
