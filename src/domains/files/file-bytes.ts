import type { FileHandle } from 'node:fs/promises'

export async function readBytes(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position })
  return buffer.subarray(0, bytesRead)
}

export function hasAt(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text
}

/** Whether a ZIP holds an EPUB, its directory says. MOBI: the type and creator of its database at byte 60. */
export async function readSignature(file: FileHandle): Promise<'pdf' | 'mobi' | 'zip' | undefined> {
  const head = await readBytes(file, 0, 1024)
  if (hasAt(head, 0, 'PK\u0003\u0004')) return 'zip'
  if (head.includes('%PDF-')) return 'pdf'
  if (hasAt(head, 60, 'BOOKMOBI') || hasAt(head, 60, 'TEXtREAd')) return 'mobi'
  return undefined
}
