// Reads what a MOBI says of its book: title, authors, language, description and cover. Its text is not read.
import { type FileHandle, open } from 'node:fs/promises'
import { notAnEbook } from './refused.ts'
import { dateIn, namesOf, descriptionOf, isbnOf, languageOf, splitTitle, withoutBlanks } from './metadata.ts'
import { isPicture, maxCoverBytes, type BookFile } from './epub.ts'
import { meaningful, writtenTitle } from './chapter-text.ts'
import { clean, limitTitle } from './xml.ts'
import { type MobiHeader, readMobiHeader, readRecord, readTextHeader } from './mobi.ts'

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
