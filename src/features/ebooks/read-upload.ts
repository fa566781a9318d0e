// What an uploaded file is by its content, and what its users might stumble over. Runs in a thread or a process of its own.
import { open } from 'node:fs/promises'
import type { FileFormat } from '../products/contract/file-formats.ts'
import { readEpubBook, type BookFile } from './epub-book.ts'
import { readEpub } from './epub.ts'
import { readFormat } from './file-format.ts'
import { readMobi } from './mobi.ts'
import { readPdf } from './pdf.ts'
import { Refused, type RefusalCode } from './refused.ts'

export type CheckedEbook = { file_format: FileFormat; findings: string[] }

export type UploadTask = {
  path: string
  /** What the sender called it. */
  file_name: string
  /** Whether it is a sound ebook, or what it says of the book. */
  wanted: 'check' | 'book'
}
export type UploadOutcome =
  | { ebook: CheckedEbook }
  | { file: BookFile }
  | { refused: RefusalCode; detail: string | undefined }

export async function readUpload({ path, file_name, wanted }: UploadTask): Promise<UploadOutcome> {
  try {
    if (wanted === 'book') return { file: await readBookFile(path) }
    return { ebook: await readEbook(path, file_name) }
  } catch (error) {
    if (error instanceof Refused) return { refused: error.code, detail: error.detail }
    throw error
  }
}

async function readEbook(path: string, file_name: string): Promise<CheckedEbook> {
  await using file = await open(path)
  const promised = /\.(pdf|epub|mobi)$/i.exec(file_name)?.[1]?.toLowerCase()
  const file_format = await readFormat(file)
  if (!file_format) throw new Refused('uploads.not_an_ebook')
  if (file_format !== promised)
    throw new Refused(
      'uploads.not_an_ebook',
      `The content of this file is ${file_format.toUpperCase()}, but its name says something else. Please end its name in “.${file_format}” and upload it again.`,
    )
  if (file_format === 'epub') return { file_format, findings: await readEpub(path) }
  if (file_format === 'pdf') return { file_format, findings: await readPdf(file) }
  return { file_format, findings: await readMobi(file) }
}

/** The parser of PDFs is large: it is loaded when it is needed. */
async function readBookFile(path: string): Promise<BookFile> {
  await using file = await open(path)
  const file_format = await readFormat(file)
  if (file_format === 'epub') return await readEpubBook(path)
  if (file_format !== 'pdf')
    throw new Refused(
      'uploads.not_an_ebook',
      'This file is neither an EPUB nor a PDF, whatever its name says. Please export the book as one of them and choose that file.',
    )
  const { readPdfBook } = await import('./pdf-book.ts')
  return { book: await readPdfBook(path), cover: undefined }
}
