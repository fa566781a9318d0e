// Runs in a thread or a process of its own.
import { open } from 'node:fs/promises'
import type { FileFormat } from '#contract/catalog/products.ts'
import { readEpub, readEpubBook, repackEpub, requireEpub, type BookFile } from './epub.ts'
import { readSignature, notAnEbook, type RefusalCode, Refused } from './refused.ts'
import { kindOfFile, refuseAs } from './file-kinds.ts'
import { isKindleOnly, readMobi } from './mobi.ts'
import { readNoticeSvg, type SvgSize } from './notice-svg.ts'
import { readPdf } from './pdf.ts'

export type CheckedEbook = { file_format: FileFormat; findings: string[] }

export type UploadTask = { path: string; file_name: string } & (
  | { kind: 'check' | 'book' | 'notice' }
  | { kind: 'repair'; to: string }
)
export type UploadOutcome =
  | { ebook: CheckedEbook }
  | { file: BookFile }
  | { repaired: boolean }
  | { notice: SvgSize }
  | { refused: RefusalCode; detail: string | undefined }

export async function readUpload(task: UploadTask): Promise<UploadOutcome> {
  const { path, file_name, kind } = task
  try {
    if (kind === 'book') return { file: await readBookFile(path, file_name) }
    if (kind === 'repair') return { repaired: await repairEbook(path, task.to) }
    if (kind === 'notice') return { notice: await readNoticeSvg(path) }
    return { ebook: await checkEbook(path, file_name) }
  } catch (error) {
    if (error instanceof Refused) return { refused: error.code, detail: error.detail }
    throw error
  }
}

async function checkEbook(path: string, file_name: string): Promise<CheckedEbook> {
  const promised = /\.(pdf|epub|mobi)$/i.exec(file_name)?.[1]?.toLowerCase()
  const file_format = await readFormat(path, file_name)
  if (file_format !== promised)
    throw notAnEbook(
      `The content of this file is ${file_format.toUpperCase()}, but its name says something else. Please end its name in “.${file_format}” and upload it again.`,
    )
  if (file_format === 'epub') return { file_format, findings: await readEpub(path) }
  await using file = await open(path)
  return { file_format, findings: await (file_format === 'pdf' ? readPdf(file) : readMobi(file)) }
}

/** Throws what the file is when it is no ebook. */
async function readFormat(path: string, file_name: string): Promise<FileFormat> {
  await using file = await open(path)
  const signature = await readSignature(file)
  if (signature === 'pdf') return 'pdf'
  if (signature === 'mobi') {
    if (!/\.mobi$/i.test(file_name) && (await isKindleOnly(file))) throw refuseAs('kindle')
    return 'mobi'
  }
  if (signature === 'zip') {
    await requireEpub(path)
    return 'epub'
  }
  const kind = await kindOfFile(file)
  throw kind ? refuseAs(kind) : notAnEbook()
}

/** Reads an EPUB or a PDF. The parser of PDFs is large: it is loaded when it is needed. */
async function readBookFile(path: string, file_name: string): Promise<BookFile> {
  const file_format = await readFormat(path, file_name)
  if (file_format === 'epub') return await readEpubBook(path)
  if (file_format === 'mobi') throw notAnEbook('The words of a MOBI are not read.')
  const { readPdfBook } = await import('./pdf-book.ts')
  return { book: await readPdfBook(path), cover: undefined }
}

/** Returns whether it was necessary. */
async function repairEbook(path: string, to: string): Promise<boolean> {
  {
    await using file = await open(path)
    if ((await readSignature(file)) !== 'zip') return false
  }
  return await repackEpub(path, to)
}
