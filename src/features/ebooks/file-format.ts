// Which format a file has, by its first bytes.
import type { FileHandle } from 'node:fs/promises'
import type { FileFormat } from '../products/contract/file-formats.ts'
import { hasAt, readBytes } from './bytes.ts'

export async function readFormat(file: FileHandle): Promise<FileFormat | undefined> {
  return formatOf(await readBytes(file, 0, 1024))
}

/** EPUB: OCF 3.3 §4.3 puts the media type at byte 30. MOBI: the type and creator of its database at byte 60. */
function formatOf(head: Buffer): FileFormat | undefined {
  if (head.includes('%PDF-')) return 'pdf'
  if (hasAt(head, 0, 'PK\u0003\u0004') && head.includes('application/epub+zip')) return 'epub'
  if (hasAt(head, 60, 'BOOKMOBI') || hasAt(head, 60, 'TEXtREAd')) return 'mobi'
  return undefined
}
