// What can be told of a MOBI from its header: a Palm database whose first record tells of the book.
import type { FileHandle } from 'node:fs/promises'
import { readBytes } from './bytes.ts'

const countAt = 76
const firstRecordAt = 78
const recordBytes = 8
const encryptionAt = 12

export async function readMobi(file: FileHandle): Promise<string[]> {
  const { size } = await file.stat()
  const findings = ['MOBI is an old format: most readers today are better served by an EPUB.']
  const count = await readNumber(file, countAt, 2)
  const last = await readNumber(file, firstRecordAt + recordBytes * ((count ?? 0) - 1), 4)
  const first = await readNumber(file, firstRecordAt, 4)
  if (!count || first === undefined || last === undefined || last >= size) {
    findings.push('A part of the MOBI is missing: it may have been cut off. Please open it and look.')
    return findings
  }
  if (await readNumber(file, first + encryptionAt, 2))
    findings.push(
      'The MOBI is copy-protected: your readers could not open it. Upload one without protection.',
    )
  return findings
}

async function readNumber(file: FileHandle, position: number, length: number): Promise<number | undefined> {
  const bytes = await readBytes(file, Math.max(0, position), length)
  return bytes.length < length ? undefined : bytes.readUIntBE(0, length)
}
