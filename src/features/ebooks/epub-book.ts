// Reads a book from its EPUB: what it says of itself, its cover, contents and chapters.
import { readChapters } from './chapters.ts'
import { readContents } from './contents.ts'
import type { ReadBook } from './contract/read-book.ts'
import { readCover } from './cover.ts'
import { openEpub } from './epub.ts'
import { readMetadata } from './metadata.ts'
import { Finding, isProtected, readPackage } from './package-document.ts'
import { Refused } from './refused.ts'
import type { Archive } from './zip.ts'

export type BookFile = { book: ReadBook; cover: Uint8Array | undefined }

/** Throws a refusal that says what to do for what is damaged, protected or without text, or exceeds a limit. */
export async function readEpubBook(path: string): Promise<BookFile> {
  try {
    return await openEpub(path, read)
  } catch (error) {
    if (!(error instanceof Finding)) throw error
    throw new Refused(
      'uploads.not_an_ebook',
      `${error.message} Please export the book again and choose the new file.`,
    )
  }
}

async function read(archive: Archive): Promise<BookFile> {
  if (await isProtected(archive))
    throw new Refused(
      'uploads.not_an_ebook',
      'This EPUB is copy-protected, so it cannot be read. Please export it from your writing program, or download it from your publisher, without protection (DRM).',
    )
  const document = await readPackage(archive)
  const metadata = readMetadata(document)
  const contents = await readContents(archive, document)
  const chapters = await readChapters(archive, document, contents, metadata.title ?? '')
  if (chapters.chapters.length === 0)
    throw new Refused(
      'uploads.not_an_ebook',
      'No text was found in this EPUB. Please open it in a reading program and look, then export the book again.',
    )
  const cover = await readCover(archive, document, contents)
  return { book: { file_format: 'epub', ...metadata, ...chapters }, cover }
}
