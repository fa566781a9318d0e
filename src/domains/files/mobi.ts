// The header of a MOBI: a Palm database whose first record describes the book (wiki.mobileread.com/wiki/MOBI).
import type { FileHandle } from 'node:fs/promises'
import { readBytes } from './refused.ts'

const [countAt, recordsAt, recordBytes] = [76, 78, 8]
const maxHeaderBytes = 256 * 1024
const maxRecords = 1_000

export type MobiHeader = {
  isEncrypted: boolean
  version: number
  title: string
  /** Of Windows: the lower byte is the language, the upper one the region. */
  locale: number
  firstPicture: number
  /** By their numbers, in their order. */
  metadata: { type: number; bytes: Buffer }[]
  decode: (bytes: Buffer) => string
}

/** None, PalmDOC, and Huffman with a dictionary. */
const compressions = new Set([1, 2, 17_480])

/** Of the text, before the header of a MOBI, which the oldest kind has not. Undefined where no text was packed. */
export async function readTextHeader(file: FileHandle) {
  const record = await readRecord(file, 0, maxHeaderBytes)
  if (!record || record.length < 16 || !compressions.has(record.readUInt16BE(0))) return undefined
  return { isEncrypted: record.readUInt16BE(12) !== 0, isMobi: record.toString('latin1', 16, 20) === 'MOBI' }
}

/** Undefined where a part of it is missing. */
export async function readMobiHeader(file: FileHandle): Promise<MobiHeader | undefined> {
  const record = await readRecord(file, 0, maxHeaderBytes)
  if (!record || record.length < 132 || record.toString('latin1', 16, 20) !== 'MOBI') return undefined
  const decoder = new TextDecoder(record.readUInt32BE(28) === 65_001 ? 'utf-8' : 'windows-1252')
  const decode = (bytes: Buffer) => decoder.decode(bytes)
  const [nameAt, nameLength] = [record.readUInt32BE(84), record.readUInt32BE(88)]
  const hasMetadata = (record.readUInt32BE(128) & 0x40) !== 0
  return {
    isEncrypted: record.readUInt16BE(12) !== 0,
    version: record.readUInt32BE(36),
    title: decode(record.subarray(nameAt, nameAt + Math.min(nameLength, 2_000))),
    locale: record.readUInt32BE(92),
    firstPicture: record.readUInt32BE(108),
    metadata: hasMetadata ? readMetadata(record, 16 + record.readUInt32BE(20)) : [],
    decode,
  }
}

function readMetadata(record: Buffer, from: number): MobiHeader['metadata'] {
  const result: MobiHeader['metadata'] = []
  if (record.length < from + 12 || record.toString('latin1', from, from + 4) !== 'EXTH') return result
  const count = Math.min(record.readUInt32BE(from + 8), maxRecords)
  for (let at = from + 12; result.length < count && at + 8 <= record.length;) {
    const length = record.readUInt32BE(at + 4)
    if (length < 8) break
    result.push({ type: record.readUInt32BE(at), bytes: record.subarray(at + 8, at + length) })
    at += length
  }
  return result
}

/** Undefined where it is missing or longer than `maxBytes`. */
export async function readRecord(
  file: FileHandle,
  index: number,
  maxBytes: number,
): Promise<Buffer | undefined> {
  const count = await readNumber(file, countAt, 2)
  if (!count || index >= count) return undefined
  const { size } = await file.stat()
  const start = await readNumber(file, recordsAt + recordBytes * index, 4)
  const isLast = index + 1 === count
  const end = isLast ? size : await readNumber(file, recordsAt + recordBytes * (index + 1), 4)
  if (start === undefined || end === undefined || start >= end || end > size) return undefined
  return end - start > maxBytes ? undefined : await readBytes(file, start, end - start)
}

const kindle8 = 8

/** An AZW3 has the signature of a MOBI. Some programs write one under the name of a MOBI, which newer devices open. */
export async function isKindleOnly(file: FileHandle): Promise<boolean> {
  return (await readMobiHeader(file))?.version === kindle8
}

export async function readMobi(file: FileHandle): Promise<string[]> {
  const { size } = await file.stat()
  const findings = ['MOBI is an old format: most readers today are better served by an EPUB.']
  if (await isKindleOnly(file))
    findings.push(
      'It holds Amazon’s newer format (KF8) alone: newer Kindles open it, other programs may not.',
    )
  const encryptionAt = 12
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
