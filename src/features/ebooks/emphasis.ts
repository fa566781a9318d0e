// Which classes of an EPUB's style sheets make words italic or bold: many programs write no other emphasis.
import { placeOf, type PackageDocument } from './package-document.ts'
import { Refused } from './refused.ts'
import type { Archive } from './zip.ts'

export type Emphasis = { isItalic: (names: string) => boolean; isBold: (names: string) => boolean }

const maxSheets = 20

export async function readEmphasis(
  { entries, read }: Archive,
  { items, folder }: PackageDocument,
): Promise<Emphasis> {
  const [italic, bold] = [new Set<string>(), new Set<string>()]
  const sheets = [...items.values()].filter(({ type }) => type === 'text/css').slice(0, maxSheets)
  for (const { href } of sheets) {
    const entry = entries.get(placeOf(href, folder))
    const css = entry && (await read(entry).catch(nothingWhenTooLarge))
    for (const rule of css?.toString().split('}') ?? []) {
      const [selector = '', style = ''] = rule.split('{')
      const classes = [...selector.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name)
      if (/font-style\s*:\s*(italic|oblique)/i.test(style)) for (const name of classes) italic.add(name)
      if (/font-weight\s*:\s*(bold|[6-9]00)/i.test(style)) for (const name of classes) bold.add(name)
    }
  }
  return {
    isItalic: (names) => names.split(/\s+/).some((name) => italic.has(name)),
    isBold: (names) => names.split(/\s+/).some((name) => bold.has(name)),
  }
}

function nothingWhenTooLarge(error: unknown): undefined {
  if (!(error instanceof Refused)) throw error
}
