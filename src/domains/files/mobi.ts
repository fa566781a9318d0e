// The header of a MOBI: a Palm database whose first record describes the book (wiki.mobileread.com/wiki/MOBI).
import { type FileHandle, open } from 'node:fs/promises'
import { readBytes, notAnEbook } from './refused.ts'
import { dateIn, namesOf, descriptionOf, isbnOf, languageOf, splitTitle, withoutBlanks } from './metadata.ts'
import { isPicture, maxCoverBytes, type BookFile } from './epub.ts'
import { meaningful, writtenTitle } from './chapter-text.ts'
import { clean, limitTitle } from './xml.ts'

const [countAt, recordsAt, recordBytes] = [76, 78, 8]
const maxHeaderBytes = 256 * 1024
const maxRecords = 1_000

type MobiHeader = {
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
async function readTextHeader(file: FileHandle) {
  const record = await readRecord(file, 0, maxHeaderBytes)
  if (!record || record.length < 16 || !compressions.has(record.readUInt16BE(0))) return undefined
  return { isEncrypted: record.readUInt16BE(12) !== 0, isMobi: record.toString('latin1', 16, 20) === 'MOBI' }
}

/** Undefined where a part of it is missing. */
async function readMobiHeader(file: FileHandle): Promise<MobiHeader | undefined> {
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
async function readRecord(file: FileHandle, index: number, maxBytes: number): Promise<Buffer | undefined> {
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

// What a MOBI says of its book: title, authors, language, description and cover. Its text is not read.

/** Numbers of EXTH. */
const types = {
  author: 100,
  publisher: 101,
  description: 103,
  isbn: 104,
  published: 106,
  cover: 201,
  title: 503,
  language: 524,
}

export async function readMobiBook(path: string): Promise<BookFile> {
  await using file = await open(path)
  const header = await readMobiHeader(file)
  const text = await readTextHeader(file)
  if (text && !header && !text.isEncrypted && !text.isMobi)
    throw notAnEbook(
      'This MOBI is of an old kind (PalmDOC): it does not say what book it is, so nothing can be read of it. Please export the book again, best as an EPUB, and choose the new file.',
    )
  if (!header && !text?.isEncrypted)
    throw notAnEbook(
      'This MOBI is damaged: it could not be read. Please export the book again, best as an EPUB, and choose the new file.',
    )
  if (!header || header.isEncrypted)
    throw notAnEbook(
      'This MOBI is copy-protected, so it cannot be read. Please export it from your writing program, or download it from your publisher, without protection (DRM).',
    )
  const textsOf = (type: number) =>
    header.metadata.filter((each) => each.type === type).map(({ bytes }) => header.decode(bytes))
  const lineOf = (type: number) => meaningful(limitTitle(clean(textsOf(type)[0] ?? '')))
  const book = withoutBlanks({
    file_format: 'mobi' as const,
    ...splitTitle(writtenTitle(lineOf(types.title) ?? '') ?? writtenTitle(limitTitle(clean(header.title)))),
    authors: namesOf(textsOf(types.author).map((text) => ({ text: limitTitle(clean(text)) }))),
    language: languageOf(lineOf(types.language)) ?? languageOfLocale(header.locale),
    description: descriptionOf(textsOf(types.description)[0]),
    publisher: lineOf(types.publisher),
    published_on: dateIn(textsOf(types.published)[0] ?? ''),
    isbn: isbnOf(lineOf(types.isbn) ?? ''),
    contents: [],
    chapters: [],
    firstChapter: null,
    findings: [
      'Of a MOBI, title, author and cover are read. Please add the preview yourself, or choose the book’s EPUB.',
    ],
  })
  return { book, cover: await readMobiCover(file, header) }
}

async function readMobiCover(file: FileHandle, { metadata, firstPicture }: MobiHeader) {
  const place = metadata.find(({ type, bytes }) => type === types.cover && bytes.length === 4)
  if (!place) return undefined
  const picture = await readRecord(file, firstPicture + place.bytes.readUInt32BE(0), maxCoverBytes)
  return picture && isPicture(picture) ? picture : undefined
}

/** Primary languages of Windows ([MS-LCID] 2.2). */
const locales = new Map(
  Object.entries({
    1: 'ar',
    4: 'zh',
    5: 'cs',
    6: 'da',
    7: 'de',
    8: 'el',
    9: 'en',
    10: 'es',
    11: 'fi',
    12: 'fr',
    13: 'he',
    14: 'hu',
    16: 'it',
    17: 'ja',
    18: 'ko',
    19: 'nl',
    20: 'nb',
    21: 'pl',
    22: 'pt',
    24: 'ro',
    25: 'ru',
    29: 'sv',
    31: 'tr',
    34: 'uk',
  }),
)

function languageOfLocale(locale: number): string | undefined {
  return locales.get(String(locale & 0xff))
}
