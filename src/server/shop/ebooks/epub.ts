// Looks into an EPUB as a reading system does: container, package document, manifest, spine. Nothing is unpacked to disk,
// and no entry is read beyond a limit, whatever it says of itself.
import { text } from 'node:stream/consumers'
import { posix } from 'node:path'
import { openPromise, type Entry, type ZipFile } from 'yauzl'
import { Problem } from '../../problem.ts'

const mostEntries = 20_000
const mostBytes = 5 * 1024 * 1024

/** Findings in plain words. Throws uploads.not_an_ebook for what is no readable ZIP archive. */
export async function checkEpub(path: string): Promise<string[]> {
  try {
    const zip = await openPromise(path, { lazyEntries: true, autoClose: false })
    try {
      return await look(zip)
    } finally {
      zip.close()
    }
  } catch (error) {
    if (error instanceof Finding) return [error.message]
    throw new Problem('uploads.not_an_ebook', { detail: 'This EPUB is damaged: it could not be opened.' })
  }
}

/** Ends the looking: nothing further can be told. */
class Finding extends Error {}

async function look(zip: ZipFile): Promise<string[]> {
  const entries = new Map<string, Entry>()
  for await (const entry of zip.eachEntry()) {
    if (entries.size >= mostEntries)
      throw new Finding('The EPUB has so many files that it could not be checked.')
    entries.set(entry.fileName, entry)
  }
  const container = await readText(zip, entries.get('META-INF/container.xml'))
  if (!container) throw new Finding('The EPUB has no META-INF/container.xml: readers will not open it.')
  const packagePath = /<rootfile\b[^>]*\bfull-path="([^"]+)"/.exec(container)?.[1]
  const document = packagePath && (await readText(zip, entries.get(decodeURIComponent(packagePath))))
  if (!document) throw new Finding('The EPUB’s package document is missing: readers will not open it.')
  return checkPackage(document, posix.dirname(packagePath), entries)
}

function checkPackage(document: string, folder: string, entries: ReadonlyMap<string, Entry>): string[] {
  const items = new Map(
    Array.from(document.matchAll(/<(?:\w+:)?item\b([^>]*)>/g), ([, attributes = '']) => [
      attribute(attributes, 'id'),
      attribute(attributes, 'href'),
    ]),
  )
  const spine = Array.from(document.matchAll(/<(?:\w+:)?itemref\b([^>]*)>/g), ([, attributes = '']) =>
    attribute(attributes, 'idref'),
  )
  const findings: string[] = []
  if (spine.length === 0) findings.push('The EPUB has no reading order (spine): readers will show nothing.')
  const lost = spine.filter((id) => !items.has(id)).length
  if (lost > 0)
    findings.push(`${lost} of the chapters in the EPUB’s reading order are not in its list of files.`)
  const missing = [...items.values()].filter(
    (href) => !/^[a-z]+:/i.test(href) && !entries.has(posix.join(folder, decodeURIComponent(href))),
  )
  if (missing.length > 0) {
    findings.push(
      `${missing.length} of the EPUB’s files are missing, the first of them “${missing[0]!.slice(0, 100)}”.`,
    )
  }
  if (!/<dc:title\b/.test(document))
    findings.push('The EPUB has no title: it stands nameless on the reader’s shelf.')
  return findings
}

function attribute(attributes: string, name: string): string {
  return new RegExp(`\\b${name}\\s*=\\s*["']([^"']*)["']`).exec(attributes)?.[1] ?? ''
}

async function readText(zip: ZipFile, entry: Entry | undefined): Promise<string | undefined> {
  if (!entry) return undefined
  if (entry.uncompressedSize > mostBytes)
    throw new Finding('The EPUB’s table of files is too large to be checked.')
  return text(await zip.openReadStreamPromise(entry))
}
