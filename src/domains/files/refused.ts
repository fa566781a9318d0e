// The refusals of uploaded files, and the signatures by which files are recognized.
import type { ProblemCode } from '#contract/refusals.ts'
import type { FileHandle } from 'node:fs/promises'

export type RefusalCode = Extract<
  ProblemCode,
  'uploads.not_an_ebook' | 'uploads.not_a_picture' | 'uploads.too_complex'
>

export class Refused extends Error {
  readonly code: RefusalCode
  readonly detail: string | undefined

  constructor(code: RefusalCode, detail?: string) {
    super(detail ?? code)
    this.code = code
    this.detail = detail
  }
}

export function ignoreTooLarge(error: unknown): undefined {
  if (!(error instanceof Refused)) throw error
}

export function notAnEbook(detail?: string): Refused {
  return new Refused('uploads.not_an_ebook', detail)
}

export function tooComplex(finding: string): Refused {
  return new Refused(
    'uploads.too_complex',
    `${finding} Please export the book again and upload the new file.`,
  )
}

export function quoted(name: string): string {
  return `“${name.slice(0, 100).toWellFormed().replaceAll(/\p{C}/gu, '\uFFFD')}”`
}

export async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position })
  return buffer.subarray(0, bytesRead)
}

export function hasAt(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text
}

/** Reads the beginning; a ZIP's directory says whether it holds an EPUB. MOBI has type and creator at byte 60. */
export async function readSignature(file: FileHandle): Promise<'pdf' | 'mobi' | 'zip' | undefined> {
  const head = await readBytes(file, 0, 1024)
  if (hasAt(head, 0, 'PK\u0003\u0004')) return 'zip'
  if (head.includes('%PDF-')) return 'pdf'
  if (hasAt(head, 60, 'BOOKMOBI') || hasAt(head, 60, 'TEXtREAd')) return 'mobi'
  return undefined
}
