// The fonts of pages: each is cut into files by script, and a browser loads those that a page has letters of.
import { characters, cutLetters, range, readFontFile } from './fonts.ts'

/** As fontsource names its files, beside what is cut of them. */
const families = {
  Fraunces: {
    name: 'fraunces',
    kind: 'full',
    weights: [400, 600],
    // As all display type is set (look.css): with the axis of the optical size the first file is 53 kB, not 30.
    axes: { SOFT: 0, WONK: 0, opsz: 72 },
    scripts: ['latin', 'latin-ext', 'latin-rare', 'vietnamese'],
  },
  Inter: {
    name: 'inter',
    kind: 'wght',
    weights: [400, 700],
    axes: {},
    scripts: [
      'latin',
      'latin-ext',
      'latin-rare',
      'vietnamese',
      'greek',
      'greek-ext',
      'cyrillic',
      'cyrillic-ext',
    ],
  },
  // The display face of books in Greek and Cyrillic, which Fraunces does not have.
  'Source Serif 4': {
    name: 'source-serif-4',
    kind: 'opsz',
    weights: [400, 600],
    axes: { opsz: { min: 14, max: 60 } },
    scripts: ['latin', 'latin-ext', 'latin-rare', 'vietnamese', 'greek', 'cyrillic', 'cyrillic-ext'],
  },
} as const

type Family = (typeof families)[keyof typeof families]

const fileOf = ({ name }: Family, script: string) => `fonts/${name}-${script}.woff2`

const all = Object.values(families).flatMap((family) => family.scripts.map((script) => ({ family, script })))

export const pageFonts: Record<string, () => Promise<Buffer>> = Object.fromEntries(
  all.map(({ family, script }) => [fileOf(family, script), () => cutPageFont(family, script)]),
)

async function cutPageFont(family: Family, script: string): Promise<Buffer> {
  const letters = (await lettersOf(family, script)).join('')
  const [min, max] = family.weights
  const file = `${family.name}/files/${family.name}-${script.replace('rare', 'ext')}-${family.kind}-normal.woff2`
  return cutLetters(file, letters, 'woff2', { ...family.axes, wght: { min, max } })
}

/** Of languages of today's Europe, with signs of currencies; all others of fontsource's "latin-ext" are rare. */
const extended = [...range(0x100, 0x17f), ...range(0x218, 0x21b), ...range(0x20a0, 0x20c0), 'ẞ']

/** Each letter is in one file of a family. Accents are not apart from their letters, but for those of Russian words. */
async function lettersOf({ name }: Family, script: string): Promise<string[]> {
  if (script === 'latin') return Array.from(characters)
  const scripts: unknown = JSON.parse((await readFontFile(`${name}/unicode.json`)).toString())
  const ranges = Object.entries(Object(scripts)).find(([key]) => key === script.replace('rare', 'ext'))
  const has = new Set(String(ranges?.[1]).split(',').flatMap(readRange))
  if (script === 'latin-ext')
    return extended.filter((letter) => has.has(letter) && !characters.includes(letter))
  const isAccent = (letter: string) => /\p{M}/u.test(letter) && script !== 'cyrillic'
  return [...has].filter(
    (letter) => !characters.includes(letter) && !extended.includes(letter) && !isAccent(letter),
  )
}

function readRange(text: string): string[] {
  const [first = 0, last = first] = text
    .replace('U+', '')
    .split('-')
    .map((digits) => Number.parseInt(digits, 16))
  return range(first, last)
}

export async function pageFontFaces(): Promise<string> {
  const faces = Object.entries(families).flatMap(([title, family]) =>
    family.scripts.map(
      async (script) => `@font-face {
  font-family: '${title}';
  src: url('./${fileOf(family, script)}') format('woff2');
  font-weight: ${family.weights.join(' ')};
  font-display: swap;
  unicode-range: ${writeRanges(await lettersOf(family, script))};
}`,
    ),
  )
  return (await Promise.all(faces)).join('\n')
}

function writeRanges(letters: readonly string[]): string {
  const ranges: [first: number, last: number][] = []
  for (const point of letters.map((letter) => letter.codePointAt(0) ?? 0).toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last?.[1] === point - 1) last[1] = point
    else ranges.push([point, point])
  }
  return ranges
    .map((points) => `U+${[...new Set(points)].map((point) => point.toString(16)).join('-')}`)
    .join(',')
}
