import { posix } from 'node:path'
import type { Entry } from 'yauzl'
import { attribute, type Element, elementsNamed, readXml, type Root, XmlError } from './xml.ts'
import type { Archive } from './zip.ts'

/** Ends the check: nothing further can be read of the EPUB. */
export class Finding extends Error {}

type Item = { id: string; href: string; type: string; properties: string[] }

export type PackageDocument = {
  folder: string
  root: Root
  items: Map<string, Item>
  spine: { id: string; isLinear: boolean }[]
}

export async function readPackage(archive: Archive): Promise<PackageDocument> {
  const path = await findPackage(archive)
  const entry = archive.entries.get(path)
  if (!entry) throw new Finding('The EPUB’s package document is missing: readers will not open it.')
  const root = await readDocument(archive, entry)
  const items = elementsNamed(root, 'item').map(itemOf)
  const spine = elementsNamed(root, 'itemref').map((element) => ({
    id: attribute(element, 'idref') ?? '',
    isLinear: attribute(element, 'linear') !== 'no',
  }))
  return { folder: posix.dirname(path), root, items: new Map(items.map((item) => [item.id, item])), spine }
}

function itemOf(element: Element): Item {
  return {
    id: attribute(element, 'id') ?? '',
    href: attribute(element, 'href') ?? '',
    type: attribute(element, 'media-type') ?? '',
    properties: (attribute(element, 'properties') ?? '').split(/\s+/),
  }
}

async function findPackage(archive: Archive): Promise<string> {
  const container = archive.entries.get('META-INF/container.xml')
  if (!container) throw new Finding('The EPUB has no META-INF/container.xml: readers will not open it.')
  const [rootfile] = elementsNamed(await readDocument(archive, container), 'rootfile')
  return decoded(attribute(rootfile, 'full-path') ?? '')
}

/** Fonts may be scrambled by these, which every device undoes (OCF 3.3 §4.4, and Adobe's older way). */
const fontAlgorithms = new Set(['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC'])

export async function isProtected(archive: Archive): Promise<boolean> {
  const { entries } = archive
  if (entries.has('META-INF/rights.xml') || entries.values().some((entry) => entry.isEncrypted())) return true
  const encryption = entries.get('META-INF/encryption.xml')
  if (!encryption) return false
  const methods = elementsNamed(await readDocument(archive, encryption), 'EncryptionMethod')
  return methods.some((method) => !fontAlgorithms.has(attribute(method, 'Algorithm') ?? ''))
}

async function readDocument({ read }: Archive, entry: Entry): Promise<Root> {
  if (entry.isEncrypted())
    throw new Finding('The EPUB is locked with a password: readers will not open it. Upload one without.')
  try {
    return readXml(await read(entry))
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

export function placeOf(href: string, folder: string): string {
  const [path = ''] = href.split(/[#?]/, 1)
  return posix.join(folder, decoded(path))
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
