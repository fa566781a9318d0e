// Runs in a thread or a process of its own.
import { open, type FileHandle } from 'node:fs/promises'
import type { FileFormat } from '../products/contract/file-formats.ts'
import { readEpub, readEpubBook, type BookFile } from './epub.ts'
import { readBytes, readFormat } from './file-bytes.ts'
import { readPdf } from './pdf.ts'
import { notAnEbook, type RefusalCode, Refused } from './refused.ts'

export type CheckedEbook = { file_format: FileFormat; findings: string[] }

export type UploadTask = {
  path: string
  file_name: string
  wanted: 'check' | 'book'
}
export type UploadOutcome =
  | { ebook: CheckedEbook }
  | { file: BookFile }
  | { refused: RefusalCode; detail: string | undefined }

export async function readUpload({ path, file_name, wanted }: UploadTask): Promise<UploadOutcome> {
  try {
    if (wanted === 'book') return { file: await readBookFile(path) }
    return { ebook: await checkEbook(path, file_name) }
  } catch (error) {
    if (error instanceof Refused) return { refused: error.code, detail: error.detail }
    throw error
  }
}

async function checkEbook(path: string, file_name: string): Promise<CheckedEbook> {
  await using file = await open(path)
  const promised = /\.(pdf|epub|mobi)$/i.exec(file_name)?.[1]?.toLowerCase()
  const file_format = await readFormat(file)
  if (!file_format) throw notAnEbook()
  if (file_format !== promised)
    throw notAnEbook(
      `The content of this file is ${file_format.toUpperCase()}, but its name says something else. Please end its name in “.${file_format}” and upload it again.`,
    )
  if (file_format === 'epub') return { file_format, findings: await readEpub(path) }
  return { file_format, findings: await (file_format === 'pdf' ? readPdf(file) : readMobi(file)) }
}

/** The parser of PDFs is large: it is loaded when it is needed. */
async function readBookFile(path: string): Promise<BookFile> {
  await using file = await open(path)
  const file_format = await readFormat(file)
  if (file_format === 'epub') return await readEpubBook(path)
  if (file_format !== 'pdf')
    throw notAnEbook(
      'This file is neither an EPUB nor a PDF, whatever its name says. Please export the book as one of them and choose that file.',
    )
  const { readPdfBook } = await import('./pdf-book.ts')
  return { book: await readPdfBook(path), cover: undefined }
}

async function readMobi(file: FileHandle): Promise<string[]> {
  const [countAt, firstRecordAt, recordBytes, encryptionAt] = [76, 78, 8, 12]
  const { size } = await file.stat()
  const findings = ['MOBI is an old format: most readers today are better served by an EPUB.']
  const count = await readNumber(file, countAt, 2)
  const last = await readNumber(file, firstRecordAt + recordBytes * ((count ?? 0) - 1), 4)
  const first = await readNumber(file, firstRecordAt, 4)
  if (!count || first === undefined || last === undefined || last >= size)
    findings.push('A part of the MOBI is missing: it may have been cut off. Please open it and look.')
  else if (await readNumber(file, first + encryptionAt, 2))
    findings.push(
      'The MOBI is copy-protected: your readers could not open it. Upload one without protection.',
    )
  return findings
}

async function readNumber(file: FileHandle, position: number, length: number): Promise<number | undefined> {
  const bytes = await readBytes(file, Math.max(0, position), length)
  return bytes.length < length ? undefined : bytes.readUIntBE(0, length)
}
