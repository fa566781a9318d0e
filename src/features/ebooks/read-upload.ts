// What an uploaded file is by its content, and what its users might stumble over. Runs in a thread of its own.
import { open } from 'node:fs/promises'
import type { FileFormat } from '../products/contract/file-formats.ts'
import { readBytes } from './bytes.ts'
import { readEpub } from './epub.ts'
import { readMobi } from './mobi.ts'
import { readPdf } from './pdf.ts'
import type { PictureExtension } from './picture-extensions.ts'
import { Refused, type RefusalCode } from './refused.ts'

export type CheckedEbook = { file_format: FileFormat; findings: string[] }
export type CheckedPicture = { extension: PictureExtension }

export type UploadTask =
  | { kind: 'ebook'; path: string; /** What the sender called it. */ file_name: string }
  | { kind: 'picture'; path: string }
export type UploadOutcome =
  | { ebook: CheckedEbook }
  | { picture: CheckedPicture }
  | { refused: RefusalCode; detail: string | undefined }

export async function readUpload(task: UploadTask): Promise<UploadOutcome> {
  try {
    if (task.kind === 'picture') return { picture: await readPicture(task.path) }
    return { ebook: await readEbook(task.path, task.file_name) }
  } catch (error) {
    if (error instanceof Refused) return { refused: error.code, detail: error.detail }
    throw error
  }
}

async function readEbook(path: string, file_name: string): Promise<CheckedEbook> {
  const promised = /\.(pdf|epub|mobi)$/i.exec(file_name)?.[1]?.toLowerCase()
  await using file = await open(path)
  const file_format = formatOf(await readBytes(file, 0, 1024))
  if (!file_format || file_format !== promised) throw new Refused('uploads.not_an_ebook')
  if (file_format === 'epub') return { file_format, findings: await readEpub(path) }
  if (file_format === 'pdf') return { file_format, findings: await readPdf(file) }
  return { file_format, findings: await readMobi(file) }
}

/** EPUB: OCF 3.3 §4.3 puts the media type at byte 30. MOBI: the type and creator of its database at byte 60. */
function formatOf(head: Buffer): FileFormat | undefined {
  if (head.includes('%PDF-')) return 'pdf'
  if (hasAt(head, 0, 'PK\u0003\u0004') && head.includes('application/epub+zip')) return 'epub'
  if (hasAt(head, 60, 'BOOKMOBI') || hasAt(head, 60, 'TEXtREAd')) return 'mobi'
  return undefined
}

const mostPictureBytes = 5 * 1024 * 1024

/** JPEG (ITU T.81 B.1.1.3), PNG (ISO 15948 5.2), WebP (RFC 9649 2.3). */
async function readPicture(path: string): Promise<CheckedPicture> {
  await using file = await open(path)
  const { size } = await file.stat()
  const head = await readBytes(file, 0, 16)
  const extension = pictureOf(head)
  if (!extension) throw new Refused('uploads.not_a_picture')
  if (size > mostPictureBytes) throw new Refused('uploads.not_a_picture', 'A picture may have 5 MB at most.')
  return { extension }
}

function pictureOf(head: Buffer): PictureExtension | undefined {
  if (hasAt(head, 0, '\xff\xd8\xff')) return 'jpg'
  if (hasAt(head, 0, '\x89PNG\r\n\x1a\n')) return 'png'
  if (hasAt(head, 0, 'RIFF') && hasAt(head, 8, 'WEBP')) return 'webp'
  return undefined
}

function hasAt(bytes: Buffer, at: number, text: string): boolean {
  return bytes.toString('latin1', at, at + text.length) === text
}
