// Looks into an EPUB as a reading system does: container, package document, manifest, spine. Nothing is unpacked to disk.
import { posix } from 'node:path'
import type { Entry } from 'yauzl'
import { quoted, Refused } from './refused.ts'
import { readXml, XmlError } from './xml.ts'
import { withArchive, type Archive } from './zip.ts'

/** Ends the looking: nothing further can be told. */
class Finding extends Error {}

/** Findings in plain words. Throws a refusal for what is no readable archive, or exceeds a limit. */
export async function readEpub(path: string): Promise<string[]> {
  try {
    return await withArchive(path, look)
  } catch (error) {
    if (error instanceof Finding) return [error.message]
    if (error instanceof Refused || isOfTheDisk(error)) throw error
    throw new Refused('uploads.not_an_ebook', 'This EPUB is damaged: it could not be opened.')
  }
}

function isOfTheDisk(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

async function look(archive: Archive): Promise<string[]> {
  const { entries, doubled } = archive
  const findings: string[] = []
  if (await isProtected(archive))
    findings.push(
      'The EPUB is copy-protected or locked with a password: your readers could not open it. Upload one without protection.',
    )
  if (doubled !== undefined)
    findings.push(
      `The EPUB holds two files with the name ${quoted(doubled)}: devices differ in which they show.`,
    )
  const packagePath = await findPackage(archive)
  const document = entries.get(packagePath)
  if (!document) throw new Finding('The EPUB’s package document is missing: readers will not open it.')
  const book = readPackage(await readXmlFile(archive, document))
  return [...findings, ...compare(book, posix.dirname(packagePath), entries)]
}

async function findPackage(archive: Archive): Promise<string> {
  const container = archive.entries.get('META-INF/container.xml')
  if (!container) throw new Finding('The EPUB has no META-INF/container.xml: readers will not open it.')
  let found: string | undefined
  readDocument(await readXmlFile(archive, container), ({ name, attributes }) => {
    if (name === 'rootfile') found ??= attributes['full-path']
  })
  return found === undefined ? '' : decoded(found)
}

/** Fonts may be scrambled by these, which every device undoes (OCF 3.3 §4.4, and Adobe's older way). */
const fontAlgorithms = new Set(['http://www.idpf.org/2008/embedding', 'http://ns.adobe.com/pdf/enc#RC'])

async function isProtected(archive: Archive): Promise<boolean> {
  const { entries } = archive
  if (entries.has('META-INF/rights.xml')) return true
  if (entries.values().some((entry) => entry.isEncrypted())) return true
  const encryption = entries.get('META-INF/encryption.xml')
  if (!encryption) return false
  let hasOther = false
  readDocument(await readXmlFile(archive, encryption), ({ name, attributes }) => {
    if (name === 'EncryptionMethod' && !fontAlgorithms.has(attributes['Algorithm'] ?? '')) hasOther = true
  })
  return hasOther
}

async function readXmlFile({ read }: Archive, entry: Entry): Promise<Uint8Array> {
  if (entry.isEncrypted())
    throw new Finding('The EPUB is locked with a password: readers will not open it. Upload one without.')
  return read(entry)
}

function readDocument(...[bytes, onElement]: Parameters<typeof readXml>): void {
  try {
    readXml(bytes, onElement)
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    throw new Finding(
      'The part of the EPUB that says what it holds is not well-formed XML: readers will not open it.',
    )
  }
}

type Book = {
  /** The place of each file, by its id. */
  items: Map<string, string>
  /** Ids, in the order of reading. */
  spine: string[]
  hasTitle: boolean
}

function readPackage(bytes: Uint8Array): Book {
  const book: Book = { items: new Map(), spine: [], hasTitle: false }
  readDocument(bytes, ({ name, attributes }) => {
    if (name === 'item') book.items.set(attributes['id'] ?? '', attributes['href'] ?? '')
    if (name === 'itemref') book.spine.push(attributes['idref'] ?? '')
    if (name === 'title') book.hasTitle = true
  })
  return book
}

function compare({ items, spine, hasTitle }: Book, folder: string, entries: Archive['entries']): string[] {
  const findings: string[] = []
  if (spine.length === 0) findings.push('The EPUB has no reading order (spine): readers will show nothing.')
  const lost = spine.filter((id) => !items.has(id)).length
  if (lost > 0)
    findings.push(`${lost} of the chapters in the EPUB’s reading order are not in its list of files.`)
  const missing = [...items.values()].filter(
    (href) => !isElsewhere(href) && !entries.has(placeOf(href, folder)),
  )
  const [first] = missing
  if (first !== undefined)
    findings.push(`${missing.length} of the EPUB’s files are missing, the first of them ${quoted(first)}.`)
  if (!hasTitle) findings.push('The EPUB has no title: it stands nameless on the reader’s shelf.')
  return findings
}

function isElsewhere(href: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(href)
}

function placeOf(href: string, folder: string): string {
  const [path = ''] = href.split(/[#?]/, 1)
  return posix.join(folder, decoded(path))
}

/** What is no percent-encoding stands for itself. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
