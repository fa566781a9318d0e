// Reads the package document of an EPUB and its content documents (EPUB 3.3).
import { posix } from 'node:path'
import type { Entry } from 'yauzl'
import {
  attribute,
  type Element,
  elementsNamed,
  readXml,
  type Root,
  textOf,
  XmlError,
  readXhtml,
  typesOf,
} from './xml.ts'
import { containerPath, type Archive } from './zip.ts'
import { ignoreTooLarge } from './refused.ts'

/** Ends the check: nothing further can be read of the EPUB. */
export class Finding extends Error {}

type Item = { id: string; href: string; type: string; properties: string[] }

export type PackageDocument = {
  folder: string
  root: Root
  items: Map<string, Item>
  spine: { id: string; isLinear: boolean }[]
}

/** Reads, of several renditions of a book, the first of flowing text: those of fixed pages may be pictures. Else the first. */
export async function readPackage(archive: Archive, isLenient = false): Promise<PackageDocument> {
  const [path = '', ...others] = await findPackages(archive)
  const first = await readRendition(archive, path, isLenient)
  if (!isFixed(first)) return first
  for (const other of others) {
    const document = await readRendition(archive, other, isLenient)
    if (!isFixed(document)) return document
  }
  return first
}

async function readRendition(archive: Archive, path: string, isLenient: boolean): Promise<PackageDocument> {
  const entry = archive.entries.get(path)
  if (!entry) throw new Finding('The EPUB’s package document is missing: readers will not open it.')
  const root = await readDocument(archive, entry, isLenient)
  const items = elementsNamed(root, 'item').map(itemOf)
  const spine = elementsNamed(root, 'itemref').map((element) => ({
    id: attribute(element, 'idref') ?? '',
    isLinear: attribute(element, 'linear') !== 'no',
  }))
  return { folder: posix.dirname(path), root, items: new Map(items.map((item) => [item.id, item])), spine }
}

function isFixed({ root }: PackageDocument): boolean {
  const layout = elementsNamed(root, 'meta').find(
    (each) => attribute(each, 'property') === 'rendition:layout',
  )
  return textOf(layout) === 'pre-paginated'
}

function itemOf(element: Element): Item {
  return {
    id: attribute(element, 'id') ?? '',
    href: attribute(element, 'href') ?? '',
    type: attribute(element, 'media-type') ?? '',
    properties: (attribute(element, 'properties') ?? '').split(/\s+/),
  }
}

const maxRenditions = 5

/** The renditions that are there, best first; one that is missing where there is none. A PDF may stand beside them. */
async function findPackages(archive: Archive): Promise<string[]> {
  const container = archive.entries.get(containerPath)
  if (!container) throw new Finding('The EPUB has no META-INF/container.xml: readers will not open it.')
  const all = elementsNamed(await readDocument(archive, container), 'rootfile')
  const packages = all.filter((each) => /^$|package/.test(attribute(each, 'media-type') ?? ''))
  const flows = (each: Element) =>
    attribute(each, 'rendition:layout') !== 'pre-paginated' &&
    attribute(each, 'rendition:accessMode') !== 'visual'
  const ordered = [...packages.filter(flows), ...packages.filter((each) => !flows(each))]
  const places = (packages.length > 0 ? ordered : all.slice(0, 1)).map((each) =>
    placeOf(archive, attribute(each, 'full-path') ?? '', ''),
  )
  const matches = places.filter((place) => archive.entries.has(place))
  return [...new Set(matches.length > 0 ? matches : places)].slice(0, maxRenditions)
}

/** Fonts may be scrambled by these, which every device undoes (OCF 3.3 §4.4, and Adobe's older way). */
const fontAlgorithms = new Set(['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC'])

export async function isProtected(archive: Archive): Promise<boolean> {
  const { entries } = archive
  if (
    entries.has('META-INF/rights.xml') ||
    entries.has('META-INF/license.lcpl') ||
    entries.values().some((entry) => entry.isEncrypted())
  )
    return true
  const encryption = entries.get('META-INF/encryption.xml')
  if (!encryption) return false
  const methods = elementsNamed(await readDocument(archive, encryption), 'encryptionmethod')
  return methods.some((method) => !fontAlgorithms.has(attribute(method, 'Algorithm') ?? ''))
}

async function readDocument({ read }: Archive, entry: Entry, isLenient = false): Promise<Root> {
  if (entry.isEncrypted())
    throw new Finding('The EPUB is locked with a password: readers will not open it. Upload one without.')
  try {
    return readXml(await read(entry), isLenient)
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    throw new Finding(
      'The part of the EPUB that says what it holds is not well-formed XML: readers will not open it.',
    )
  }
}

export function isElsewhere(href: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(href)
}

/** The name of the file that is meant: names may differ by percent signs, by case, or by the folder. */
export function placeOf({ entries }: Pick<Archive, 'entries'>, href: string, folder: string): string {
  const [path = ''] = href.split(/[#?]/, 1)
  const plain = posix.join(folder, path.replaceAll('\\', '/'))
  const place = posix.join(folder, decoded(path).replaceAll('\\', '/'))
  const named = [place, plain].find((each) => entries.has(each))
  if (named !== undefined) return named
  const { folded, alone } = indexOf(entries)
  return folded.get(fold(place)) ?? alone.get(fold(posix.basename(place))) ?? place
}

/** True where the file has a name that differs. */
export function isMisnamed({ entries }: Pick<Archive, 'entries'>, href: string, folder: string): boolean {
  const [path = ''] = href.split(/[#?]/, 1)
  return !entries.has(posix.join(folder, decoded(path)))
}

const fold = (name: string) => decoded(name).normalize('NFC').toLowerCase()

type Index = { folded: Map<string, string>; alone: Map<string, string> }

const indexes = new WeakMap<Archive['entries'], Index>()

function indexOf(entries: Archive['entries']): Index {
  const known = indexes.get(entries)
  if (known) return known
  const [folded, alone, shared] = [new Map<string, string>(), new Map<string, string>(), new Set<string>()]
  for (const name of entries.keys()) {
    if (name.endsWith('/') || name.startsWith('META-INF/') || name.startsWith('__MACOSX/')) continue
    folded.set(fold(name), name)
    const base = fold(posix.basename(name))
    if (alone.has(base)) shared.add(base)
    alone.set(base, name)
  }
  // Several files with one name in different folders mean none of them.
  for (const base of shared) alone.delete(base)
  const index = { folded, alone }
  indexes.set(entries, index)
  return index
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

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
  const result: Element[] = []
  for (let element = body; element;) {
    result.push(element)
    const [only, ...others]: Element[] = element.children
      .filter((child) => child.type === 'element')
      .filter((child) => textOf(child) !== '')
    element = others.length === 0 ? only : undefined
  }
  return result
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
