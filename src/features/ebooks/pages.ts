import type { Contents } from './contents.ts'
import { isElsewhere, placeOf, type PackageDocument } from './package-document.ts'
import { Refused } from './refused.ts'
import { type Element, elementsNamed, readXhtml, type Root, typesOf } from './xml.ts'
import type { Archive } from './zip.ts'

export type Page = { place: string; root: Root; types: string[] }

export function pagesOf({ spine, items, folder }: PackageDocument): string[] {
  const places = spine
    .filter(({ isLinear }) => isLinear)
    .map(({ id }) => items.get(id))
    .filter((item) => item !== undefined)
    .filter(({ href, type }) => !isElsewhere(href) && /html/i.test(`${type} ${href}`))
    .map(({ href }) => placeOf(href, folder))
  return [...new Set(places)]
}

export async function readPage({ entries, read }: Archive, place: string, { landmarks }: Contents) {
  const entry = entries.get(place)
  if (!entry) return undefined
  const root = readXhtml(await read(entry))
  const types = landmarks.filter((each) => each.place === place).map(({ type }) => type)
  return { place, root, types: [...types, ...outerTypes(root)] }
}

function outerTypes(root: Root): string[] {
  const [body] = elementsNamed(root, 'body')
  const types: string[] = []
  for (let element = body; element;) {
    types.push(...typesOf(element))
    const [only, ...others]: Element[] = element.children.filter((child) => child.type === 'element')
    element = others.length === 0 ? only : undefined
  }
  return types
}

export type Emphasis = Awaited<ReturnType<typeof readEmphasis>>

const maxSheets = 20

/** Many programs mark emphasis by classes alone. */
export async function readEmphasis({ entries, read }: Archive, { items, folder }: PackageDocument) {
  const [italic, bold] = [new Set<string>(), new Set<string>()]
  const sheets = [...items.values()].filter(({ type }) => type === 'text/css').slice(0, maxSheets)
  for (const { href } of sheets) {
    const entry = entries.get(placeOf(href, folder))
    const css = entry && (await read(entry).catch(ignoreTooLarge))
    for (const rule of css?.toString().split('}') ?? []) {
      const [selector = '', style = ''] = rule.split('{')
      const classes = [...selector.matchAll(/\.([\w-]+)/g)].map(([, name = '']) => name)
      if (/font-style\s*:\s*(italic|oblique)/i.test(style)) for (const name of classes) italic.add(name)
      if (/font-weight\s*:\s*(bold|[6-9]00)/i.test(style)) for (const name of classes) bold.add(name)
    }
  }
  const hasOne = (wanted: Set<string>) => (classes: string) =>
    classes.split(/\s+/).some((name) => wanted.has(name))
  return { isItalic: hasOne(italic), isBold: hasOne(bold) }
}

function ignoreTooLarge(error: unknown): undefined {
  if (!(error instanceof Refused)) throw error
}
