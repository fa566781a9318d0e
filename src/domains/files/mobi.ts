// Checks a MOBI: a Palm database whose first record describes the book (wiki.mobileread.com/wiki/MOBI). Its words are not
// read.
import type { FileHandle } from 'node:fs/promises'
import { hasAt, readBytes } from './refused.ts'

const [countAt, recordsAt, recordBytes] = [76, 78, 8]
/** Positions in the first record. The oldest kind has neither name nor version. */
const [encryptionAt, nameAt, versionAt] = [12, 16, 36]
const kindle8 = 8

/** An AZW3 has the signature of a MOBI. Some programs write one under the name of a MOBI, which newer devices open. */
export async function isKindleOnly(file: FileHandle): Promise<boolean> {
  const first = await readNumber(file, recordsAt, 4)
  if (first === undefined) return false
  const header = await readBytes(file, first, versionAt + 4)
  return (
    header.length === versionAt + 4 &&
    hasAt(header, nameAt, 'MOBI') &&
    header.readUInt32BE(versionAt) === kindle8
  )
}

export async function readMobi(file: FileHandle): Promise<string[]> {
  const { size } = await file.stat()
  const findings = ['MOBI is an old format: most readers today are better served by an EPUB.']
  if (await isKindleOnly(file))
    findings.push(
      'It holds Amazon’s newer format (KF8) alone: newer Kindles open it, other programs may not.',
    )
  const count = await readNumber(file, countAt, 2)
  const last = await readNumber(file, recordsAt + recordBytes * ((count ?? 0) - 1), 4)
  const first = await readNumber(file, recordsAt, 4)
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
