import { readChapters } from './chapters.ts'
import { readContents } from './contents.ts'
import type { ReadBook } from './contract/read-book.ts'
import { readCover } from './cover.ts'
import { readMetadata } from './metadata.ts'
import {
  Finding,
  isElsewhere,
  isProtected,
  placeOf,
  readPackage,
  type PackageDocument,
} from './package-document.ts'
import { notAnEbook, quoted, Refused } from './refused.ts'
import { elementsNamed } from './xml.ts'
import { withArchive, type Archive } from './zip.ts'

export async function readEpub(path: string): Promise<string[]> {
  try {
    return await openEpub(path, check)
  } catch (error) {
    if (error instanceof Finding) return [error.message]
    throw error
  }
}

async function openEpub<Result>(path: string, read: (archive: Archive) => Promise<Result>): Promise<Result> {
  try {
    return await withArchive(path, read)
  } catch (error) {
    const isOfTheDisk = error instanceof Error && 'syscall' in error
    if (error instanceof Finding || error instanceof Refused || isOfTheDisk) throw error
    throw notAnEbook('This EPUB is damaged: it could not be opened.')
  }
}

async function check(archive: Archive): Promise<string[]> {
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
  return [...findings, ...comparePackage(await readPackage(archive), entries)]
}

function comparePackage({ folder, root, items, spine }: PackageDocument, entries: Archive['entries']) {
  const findings: string[] = []
  if (spine.length === 0) findings.push('The EPUB has no reading order (spine): readers will show nothing.')
  const lost = spine.filter(({ id }) => !items.has(id)).length
  if (lost > 0)
    findings.push(`${lost} of the chapters in the EPUB’s reading order are not in its list of files.`)
  const missing = [...items.values()].filter(
    ({ href }) => !isElsewhere(href) && !entries.has(placeOf(href, folder)),
  )
  const [first] = missing
  if (first !== undefined)
    findings.push(
      `${missing.length} of the EPUB’s files are missing, the first of them ${quoted(first.href)}.`,
    )
  if (elementsNamed(root, 'title').length === 0)
    findings.push('The EPUB has no title: reading apps list it without a name.')
  return findings
}

export type BookFile = { book: ReadBook; cover: Uint8Array | undefined }

export async function readEpubBook(path: string): Promise<BookFile> {
  try {
    return await openEpub(path, readBook)
  } catch (error) {
    if (!(error instanceof Finding)) throw error
    throw notAnEbook(`${error.message} Please export the book again and choose the new file.`)
  }
}

async function readBook(archive: Archive): Promise<BookFile> {
  if (await isProtected(archive))
    throw notAnEbook(
      'This EPUB is copy-protected, so it cannot be read. Please export it from your writing program, or download it from your publisher, without protection (DRM).',
    )
  const document = await readPackage(archive)
  const metadata = readMetadata(document)
  const contents = await readContents(archive, document)
  const chapters = await readChapters(archive, document, contents, metadata.title ?? '')
  if (chapters.chapters.length === 0)
    throw notAnEbook(
      'No text was found in this EPUB. Please open it in a reading program and look, then export the book again.',
    )
  const cover = await readCover(archive, document, contents)
  return { book: { file_format: 'epub', ...metadata, ...chapters }, cover }
}
