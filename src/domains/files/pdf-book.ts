// A PDF says where letters are printed, not what belongs together, so it has no chapters and no cover.
import { open, type FileHandle } from 'node:fs/promises'
import { getDocument, PasswordException, PDFDataRangeTransport, type PDFDocumentProxy } from 'unpdf/pdfjs'
import { z } from 'zod'
import { readBytes, notAnEbook } from './refused.ts'
import { namesOf, descriptionOf, languageOf, splitTitle } from './metadata.ts'
import type { ReadBook } from '#contract/files/read-book.ts'
import { isFileName, writtenTitle } from './chapter-text.ts'
import { clean, limitTitle } from './xml.ts'

const maxEntries = 2_000
const depthLimit = 10
const maxAuthor = 2_000

export async function readPdfBook(path: string): Promise<ReadBook> {
  await using file = await open(path)
  const { size } = await file.stat()
  const task = getDocument({
    range: new FileRange(file, size),
    disableAutoFetch: true,
    disableStream: true,
    verbosity: 0,
  })
  try {
    return await describe(await task.promise)
  } catch (error) {
    throw notAnEbook(
      error instanceof PasswordException
        ? 'This PDF is locked with a password, so it cannot be read. Please export it again without a password.'
        : 'This PDF is damaged: it could not be read. Please export the book again and choose the new file.',
    )
  } finally {
    await task.destroy()
  }
}

class FileRange extends PDFDataRangeTransport {
  readonly #file: FileHandle

  constructor(file: FileHandle, size: number) {
    super(size, null)
    this.#file = file
  }

  override requestDataRange(begin: number, end: number): void {
    const send = (bytes: Uint8Array) => this.onDataRange(begin, new Uint8Array(bytes))
    readBytes(this.#file, begin, end - begin).then(send, () => this.abort())
  }
}

/** ISO 32000-1 §14.3.3. */
const line = z.string().catch('')
const information = z.object({ Title: line, Author: line, Subject: line, Language: line })

async function describe(document: PDFDocumentProxy): Promise<ReadBook> {
  const { info } = await document.getMetadata()
  const { Title, Author, Subject, Language } = information.parse(info)
  const language = languageOf(Language)
  const description = descriptionOf(Subject)
  const title = limitTitle(clean(Title))
  return {
    file_format: 'pdf',
    ...splitTitle(isFileName(title) ? undefined : writtenTitle(title)),
    authors: namesOf([{ text: clean(Author.slice(0, maxAuthor)) }]),
    ...(language && { language }),
    ...(description && { description }),
    pages: document.numPages,
    contents: readOutline(await document.getOutline()),
    chapters: [],
    firstChapter: null,
    findings: [
      'The shop takes no chapters to read and no cover from a PDF. Please add the preview and the cover yourself, or choose the book’s EPUB.',
    ],
  }
}

type Outline = { title: string; items: Outline }[]

function readOutline(outline: Outline | null, depth = 0): ReadBook['contents'] {
  if (!outline || depth > depthLimit) return []
  return outline
    .flatMap(({ title, items }) => [
      { title: limitTitle(clean(title)), depth, chapter: null },
      ...readOutline(items, depth + 1),
    ])
    .filter(({ title }) => title !== '')
    .slice(0, maxEntries)
}
