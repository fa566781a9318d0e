// Whether a file is the ebook it says it is, by its content; and what its readers might stumble over, in plain words.
import { open, type FileHandle } from 'node:fs/promises'
import type { FileFormat } from '#contract/file-formats.ts'
import { Problem } from '../../problem.ts'
import { checkEpub } from './epub.ts'

export type CheckedEbook = { file_format: FileFormat; findings: string[] }

/** Throws uploads.not_an_ebook when the content is none of the three formats, or not the one that the name promises. */
export async function checkEbook(path: string, file_name: string): Promise<CheckedEbook> {
  const promised = /\.(pdf|epub|mobi)$/i.exec(file_name)?.[1]?.toLowerCase()
  await using file = await open(path)
  const file_format = formatOf(await read(file, 0, 1024))
  if (!file_format || file_format !== promised) throw new Problem('uploads.not_an_ebook')
  if (file_format === 'epub') return { file_format, findings: await checkEpub(path) }
  if (file_format === 'pdf') return { file_format, findings: await checkPdf(file) }
  return {
    file_format,
    findings: ['MOBI is an old format: most readers today are better served by an EPUB.'],
  }
}

/** EPUB: OCF 3.3 §4.3 puts the media type at byte 30. MOBI: the type and creator of its database at byte 60. */
function formatOf(head: Buffer): FileFormat | undefined {
  const at = (start: number, text: string) =>
    head.subarray(start, start + text.length).toString('latin1') === text
  if (head.includes('%PDF-')) return 'pdf'
  if (at(0, 'PK\u0003\u0004') && head.includes('application/epub+zip')) return 'epub'
  if (at(60, 'BOOKMOBI') || at(60, 'TEXtREAd')) return 'mobi'
  return undefined
}

const tailBytes = 64 * 1024

async function checkPdf(file: FileHandle): Promise<string[]> {
  const { size } = await file.stat()
  const tail = (await read(file, Math.max(0, size - tailBytes), tailBytes)).toString('latin1')
  const findings: string[] = []
  if (!tail.includes('%%EOF') || !tail.includes('startxref')) {
    findings.push('The end of the PDF is missing: it may have been cut off. Please open it and look.')
  }
  if (/\/Encrypt\b/.test(tail)) {
    findings.push(
      'The PDF is encrypted: some readers will ask for a password, and some devices will not open it.',
    )
  }
  return findings
}

async function read(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(length), position })
  return buffer.subarray(0, bytesRead)
}
