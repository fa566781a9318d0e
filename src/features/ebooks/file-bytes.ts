import type { FileHandle } from 'node:fs/promises'
import type { FileFormat } from '../products/contract/file-formats.ts'

export async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position })
  return buffer.subarray(0, bytesRead)
}

export function hasAt(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text
}

/** EPUB: OCF 3.3 §4.3 puts the media type at byte 30. MOBI: the type and creator of its database at byte 60. */
export async function readFormat(file: FileHandle): Promise<FileFormat | undefined> {
  const head = await readBytes(file, 0, 1024)
  if (head.includes('%PDF-')) return 'pdf'
  if (hasAt(head, 0, 'PK\u0003\u0004') && head.includes('application/epub+zip')) return 'epub'
  if (hasAt(head, 60, 'BOOKMOBI') || hasAt(head, 60, 'TEXtREAd')) return 'mobi'
  return undefined
}
