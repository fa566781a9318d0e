// Reads from the style sheets of an EPUB which classes are emphasis, and which stand on lines of their own.
import { attribute, type Element } from './xml.ts'
import type { Archive } from './zip.ts'
import { ignoreTooLarge } from './refused.ts'
import type { PackageDocument } from './package-document.ts'
import { placeOf } from './epub-places.ts'

export type Emphasis = Awaited<ReturnType<typeof readEmphasis>>

const maxSheets = 20

/** Many programs mark emphasis, and the lines of a heading, by classes alone. */
export async function readEmphasis(archive: Archive, { items, folder }: PackageDocument) {
  const [italic, bold, block] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const sheets = [...items.values()].filter(({ type }) => type === 'text/css').slice(0, maxSheets)
  for (const { href } of sheets) {
    const entry = archive.entries.get(placeOf(archive, href, folder))
    const css = entry && (await archive.read(entry).catch(ignoreTooLarge))
    for (const rule of css?.toString().split('}') ?? []) {
      const [selector = '', style = ''] = rule.split('{')
      const classes = [...selector.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name)
      if (/font-style\s*:\s*(italic|oblique)/i.test(style)) for (const name of classes) italic.add(name)
      if (/display\s*:\s*block/i.test(style)) for (const name of lastClassesIn(selector)) block.add(name)
      if (/font-weight\s*:\s*(bold|[6-9]00)/i.test(style)) for (const name of classes) bold.add(name)
    }
  }
  const hasOne = (tokens: Set<string>) => (classes: string) =>
    classes.split(/\s+/).some((name) => tokens.has(name))
  const isBlock = hasOne(block)
  const isOnOwnLine = (element: Element) =>
    isBlock(attribute(element, 'class') ?? '') ||
    /display\s*:\s*block/i.test(attribute(element, 'style') ?? '')
  return { isItalic: hasOne(italic), isBold: hasOne(bold), isOnOwnLine }
}

/** The classes of the elements that a rule is for, without those around them. */
function lastClassesIn(selector: string): string[] {
  return selector.split(',').flatMap((each) => {
    const last =
      each
        .trim()
        .split(/[\s>+~]+/)
        .at(-1) ?? ''
    return [...last.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name)
  })
}
