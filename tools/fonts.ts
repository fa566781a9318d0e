// Cuts from the variable fonts of fontsource (SIL Open Font License) what a page, a book or a drawing needs of them.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const faces = {
  fraunces: 'fraunces/files/fraunces-latin-full-normal.woff2',
  inter: 'inter/files/inter-latin-wght-normal.woff2',
  serif: 'source-serif-4/files/source-serif-4-latin-opsz-normal.woff2',
  serifItalic: 'source-serif-4/files/source-serif-4-latin-opsz-italic.woff2',
}

/** English and the names of western Europe, with the punctuation, signs and arrows that a page needs. */
export const characters =
  [...range(0x20, 0x7e), ...range(0xa0, 0xff)].join('') + 'ıŒœŠšŸŽž–—‘’‚“”„†•…‹›€™−←↑→↓'

type Axes = Parameters<typeof subsetFont>[2]['variationAxes']

/** Fraunces comes upright and sober: its soft and wonky axes are pinned at 0. */
export async function cutFont(
  face: keyof typeof faces,
  targetFormat: 'sfnt' | 'woff2',
  axes: Axes,
): Promise<Buffer> {
  const sober: Axes = face === 'fraunces' ? { SOFT: 0, WONK: 0 } : {}
  return cutLetters(faces[face], characters, targetFormat, { ...sober, ...axes })
}

export async function cutLetters(
  file: string,
  letters: string,
  targetFormat: 'sfnt' | 'woff2',
  variationAxes: Axes,
): Promise<Buffer> {
  return subsetFont(await readFontFile(file), letters, { targetFormat, variationAxes })
}

/** For pictures of covers: each has the letters that fontsource counts to its script. */
export const coverLetters = {
  latin: 'fraunces/files/fraunces-latin-full-normal.woff2',
  'latin-ext': 'fraunces/files/fraunces-latin-ext-full-normal.woff2',
  vietnamese: 'fraunces/files/fraunces-vietnamese-full-normal.woff2',
  greek: 'source-serif-4/files/source-serif-4-greek-opsz-normal.woff2',
  cyrillic: 'source-serif-4/files/source-serif-4-cyrillic-opsz-normal.woff2',
  'cyrillic-ext': 'source-serif-4/files/source-serif-4-cyrillic-ext-opsz-normal.woff2',
}

/** The thin strokes of large letters would vanish in a small line, whose own letters are heavier and chosen by that. */
type CoverCut = { isSmall?: boolean }

/** Without combining marks: a letter would be taken from one font and its accent from another. */
export async function cutCoverLetters(
  script: keyof typeof coverLetters,
  { isSmall = false }: CoverCut = {},
): Promise<Buffer> {
  const file = coverLetters[script]
  const letters = range(0x20, 0x2bff).filter((letter) => !/\p{M}/u.test(letter))
  const opsz = isSmall ? 24 : 144
  const axes: Axes = file.startsWith('fraunces') ? { SOFT: 0, WONK: 0, opsz } : { opsz: isSmall ? 14 : 60 }
  return cutLetters(file, letters.join(''), 'sfnt', { ...axes, wght: isSmall ? 600 : 480 })
}

/** Each as it must be passed on with what is cut from its font. */
export async function fontLicenses(): Promise<string> {
  const fonts = new Set(Object.values(faces).map((file) => file.split('/')[0]))
  const texts = await Promise.all(
    Array.from(
      fonts,
      async (font) => `\n## ${font}\n\n${(await readFontFile(`${font}/LICENSE`)).toString()}`,
    ),
  )
  return texts.join('')
}

export function readFontFile(path: string): Promise<Buffer> {
  return readFile(fileURLToPath(import.meta.resolve(`@fontsource-variable/${path}`)))
}

export function range(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
}
