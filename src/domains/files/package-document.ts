// Reads the package document of an EPUB (EPUB 3.3).
import { posix } from 'node:path'
import type { Entry } from 'yauzl'
import { attribute, type Element, elementsNamed, readXml, type Root, textOf, XmlError } from './xml.ts'
import { containerPath, type Archive } from './zip.ts'
import { placeOf } from './epub-places.ts'

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
