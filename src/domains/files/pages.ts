import { posix } from 'node:path'
import { isElsewhere, placeOf, type PackageDocument } from './package-document.ts'
import { Refused } from './refused.ts'
import { attribute, type Element, elementsNamed, readXhtml, type Root, textOf, typesOf } from './xml.ts'
import type { Archive } from './zip.ts'

/** A page's kind in EPUB's own words. */
export type Landmark = { place: string; fragment: string | undefined; type: string }

export type Page = { place: string; root: Root; types: string[]; hints: string[] }

export function pagesOf(archive: Archive, { spine, items, folder }: PackageDocument): string[] {
  const places = spine
    .filter(({ isLinear }) => isLinear)
    .map(({ id }) => items.get(id))
    .filter((item) => item !== undefined)
    .filter(({ href, type }) => !isElsewhere(href) && /html|oeb1-document|\.htm$/i.test(`${type} ${href}`))
    .map(({ href }) => placeOf(archive, href, folder))
  return [...new Set(places)]
}

export async function readPage(
  { entries, read }: Archive,
  place: string,
  landmarks: Landmark[],
  { isOnOwnLine }: Emphasis,
) {
  const entry = entries.get(place)
  if (!entry) return undefined
  const root = readXhtml(await read(entry))
  const headings = elementsNamed(root, 'h1', 'h2', 'h3', 'h4', 'h5', 'h6')
  for (const span of headings.flatMap((heading) => elementsNamed(heading, 'span')))
    if (isOnOwnLine(span)) span.tagName = 'div'
  const here = landmarks.filter((each) => each.place === place)
  // Several places in one page say nothing of the page.
  const isWhole = new Set(here.map(({ fragment }) => fragment)).size < 2
  const types = isWhole ? here.map(({ type }) => type) : []
  const outer = outerElements(root)
  return {
    place,
    root,
    types: [...types, ...outer.flatMap(typesOf)],
    hints: [...outer.flatMap(classesOf), nameOf(place)],
  }
}

/** Undefined where it cannot be read: its chapter says so. */
export async function readRoot({ entries, read }: Archive, place: string): Promise<Root | undefined> {
  try {
    const entry = entries.get(place)
    return entry && readXhtml(await read(entry))
  } catch (error) {
    return ignoreTooLarge(error)
  }
}

/** The elements around all of the page's text. */
function outerElements(root: Root): Element[] {
  const [body] = elementsNamed(root, 'body')
  const found: Element[] = []
  for (let element = body; element;) {
    found.push(element)
    const [only, ...others]: Element[] = element.children
      .filter((child) => child.type === 'element')
      .filter((child) => textOf(child) !== '')
    element = others.length === 0 ? only : undefined
  }
  return found
}

function classesOf(element: Element): string[] {
  const names = (attribute(element, 'class') ?? '').toLowerCase().split(/\s+/)
  return names.map((name) => name.replaceAll('_', '-').replace(/^(ltx|section|sect|page|bk|epub)-/, ''))
}

/** `010_title_page.xhtml` is named `title-page`. */
function nameOf(place: string): string {
  const [name = ''] = posix.basename(place).toLowerCase().split('.')
  const words = name.replaceAll(/[_\s]+/g, '-').replaceAll(/^[\d-]+|[\d-]+$/g, '')
  // Some programs call each file a part.
  return /^(part|text)(-\d+-split)?$/.test(words) ? '' : words
}

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
  const hasOne = (wanted: Set<string>) => (classes: string) =>
    classes.split(/\s+/).some((name) => wanted.has(name))
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

function ignoreTooLarge(error: unknown): undefined {
  if (!(error instanceof Refused)) throw error
}
