// Authors' names as a person writes them, of what programs and catalogues write.
import {
  meaningful,
  blocksOf,
  plainTextOf,
  isLikeFileName,
  writtenTitle,
  wholeSentences,
} from './chapter-text.ts'
import { isMatterTitle, isChapterTitle, letters } from './chapter-kinds.ts'
import type { Contents } from './contents.ts'
import type { ReadBook } from '#contract/files/read-book.ts'
import type { PackageDocument } from './package-document.ts'
import { pagesOf, readRoot } from './epub-pages.ts'
import {
  attribute,
  clean,
  type Element,
  elementsIn,
  elementsNamed,
  limitTitle,
  rawText,
  readXhtml,
  textOf,
} from './xml.ts'
import type { Archive } from './zip.ts'

const maxAuthors = 20

/** `role` and `fileAs` as EPUB has them. */
type Creator = { text: string; role?: string | undefined; fileAs?: string | undefined }

export function namesOf(creators: Creator[]): string[] {
  const isWriter = ({ text, role }: Creator) =>
    (role === undefined || /(^|\/)aut/i.test(role)) && !otherRole.test(text)
  const writers = creators.filter(isWriter)
  const names = (all: Creator[]) => all.flatMap(({ text, fileAs }) => splitNames(text, fileAs))
  const result = names(writers)
  return [...new Set(result.length > 0 ? result : names(creators))].slice(0, maxAuthors)
}

/** A role stands behind a name: “(Illustrator)”, “, translator”, “[Übersetzer]”; or before it: “Illustrated by”. */
const otherRole =
  /[([,]\s*(illustrat|translat|editor|ed\.|narrat|foreword|photograph|übersetz|herausgeb|hrsg|illustrierte|traduct|illustrateur|traduttore|tłumacz|ilustrator)[^,;]*$|^(illustrated|translated|edited|narrated|foreword|cover) by\s/iu

function splitNames(text: string, fileAs?: string): string[] {
  return withoutAddress(text)
    .split(/\s*[;；、，|]\s*|\s+\/\s+/)
    .flatMap(splitList)
    .flatMap((each) => inOrder(each, fileAs))
    .map((name) =>
      name
        .replace(/^((written )?by:?)\s+/i, '')
        .replace(/[\s[(]*(著|\bauthor)[\])]?$/iu, '')
        .trim(),
    )
    .filter((name) => meaningful(name) !== undefined)
}

const conjunction = /,?\s+(?:and|und|et|y|e|i|en|och|og|и|та|και|&|\+)\s+/u
/** These are a part of a name between single names: “Ortega y Gasset”. */
const isWithinName = (text: string) => /\s(y|e|i|en)\s/.test(text)
const notName =
  /^(others|al\.?|co\.?|company|sons|friends|family|team|staff|andere|autres|otros|altri)$|\b(of|for)\b/i

/** “Anna Smith and Ben Doe” are two, also behind commas; “Smith and Sons” and “Ann and Ben Smith” are one. */
function splitList(text: string): string[] {
  const pieces = text.split(conjunction)
  if (pieces.length < 2 || pieces.some((piece) => notName.test(piece))) return [text]
  if (pieces.every((piece) => piece.includes(','))) return pieces
  const isOneWord = (piece: string) => /^\S+$/.test(piece)
  const all = pieces.flatMap((piece) => piece.split(/\s*,\s*/))
  if (all.every(isOneWord)) return isWithinName(text) ? [text] : all
  return pieces.some(isOneWord) ? [text] : pieces
}

function withoutAddress(text: string): string {
  const left = text
    .replaceAll(/<[^<>]*@[^<>]*>|[([]\s*(mailto:)?[^\s()[\]]+@[^\s()[\]]+\s*[)\]]/g, '')
    .replaceAll(/<?(mailto:)?[^\s<>;,]+@[^\s<>;,]+\.[^\s<>;,]+>?/g, '')
    .trim()
  return left.replaceAll(/^[\s,;]+|[\s,;]+$/g, '')
}

const suffixes = /^(jr|sr|[ivx]{1,4}|ph\.? ?d|m\.?d|m\.?a|b\.?a|esq|dds|phd|inc|ltd|llc|gmbh)\.?$/i
const particles =
  /^(d[aeiou]|del|della|des|du|d’|d'|la|le|van|von|der|den|ten|ter|st\.?|saint|mac|o’|al|el|bin|ibn|ben|zu|zum)$/i

/** “Lastname, Firstname” is turned; “Name Name, Name Name” are two; “Name, Jr.” is one. */
function inOrder(text: string, fileAs?: string): string[] {
  const pieces = text.split(/\s*,\s*/).filter(Boolean)
  const [last = '', first = '', third] = pieces
  if (pieces.length < 2 || conjunction.test(text)) return [text]
  if (third !== undefined && suffixes.test(third) && pieces.length === 3) return [`${first} ${last} ${third}`]
  if (suffixes.test(first)) return pieces.length === 2 ? [`${last}, ${first}`] : [text]
  const wordsOf = (name: string) => name.split(/\s+/).filter((word) => !particles.test(word))
  const isFamilyName =
    wordsOf(last).length === 1 || wordsOf(first).length === 1 || fileAs?.startsWith(`${last},`)
  if (pieces.length === 2 && isFamilyName && first.split(/\s+/).length <= 4) return [`${first} ${last}`]
  const areWhole = pieces.every((name) => wordsOf(name).length >= 2)
  return areWhole ? pieces : arePairs(pieces) ? pairsOf(pieces) : [text]
}

const initials = /^(\p{Lu}\.?[\s-]?){1,3}$/u

/** “Lastname, F., Lastname, F.” */
function arePairs(pieces: string[]): boolean {
  return pieces.length % 2 === 0 && pieces.every((piece, at) => at % 2 === 0 || initials.test(piece))
}

function pairsOf(pieces: string[]): string[] {
  return pieces.flatMap((piece, at) => (at % 2 === 0 ? [`${pieces[at + 1]} ${piece}`] : []))
}

/** Reads from the contents or the first pages what the package does not say. */
export async function completeMetadata(
  archive: Archive,
  document: PackageDocument,
  contents: Contents,
): Promise<Metadata> {
  const metadata = readMetadata(document)
  const named = writtenTitle(contents.title)
  const authors =
    metadata.authors.length > 0 ? metadata.authors : namesOf(contents.authors.map((text) => ({ text })))
  const result = authors.length > 0 ? authors : await findByline(archive, document)
  const isNameless = metadata.title === undefined || isLikeFileName(metadata.title)
  const heading = isNameless
    ? ((await findHeading(archive, document)) ??
      (metadata.title && (await findNamesake(archive, document, metadata.title))))
    : undefined
  const titles = metadata.title === undefined && named ? splitTitle(named) : {}
  return { ...titles, ...metadata, ...(heading && splitTitle(heading)), authors: result }
}

const maxTitlePage = 400

/** Reads the title of the first page that is a title page. */
async function findHeading(archive: Archive, document: PackageDocument): Promise<string | undefined> {
  for (const place of pagesOf(archive, document).slice(0, firstPages)) {
    const root = await readRoot(archive, place)
    const blocks = root ? blocksOf(root).flatMap((block) => ('start' in block ? [] : [block])) : []
    const title = limitTitle(textOf(blocks.find(({ tagName }) => /^h[12]$/.test(tagName))))
    const isShort = blocks.reduce((length, block) => length + textOf(block).length, 0) <= maxTitlePage
    if (isShort && !isMatterTitle(title) && !isChapterTitle(title) && writtenTitle(title)) return title
  }
  return undefined
}

/** The first heading, where it has all words of a title that is written as the name of a folder. */
async function findNamesake(
  archive: Archive,
  document: PackageDocument,
  name: string,
): Promise<string | undefined> {
  for (const place of pagesOf(archive, document).slice(0, firstPages)) {
    const heading = limitTitle(textOf(elementsNamed(await readRoot(archive, place), 'h1', 'h2')[0]))
    if (heading === '') continue
    const words = new Set(heading.split(/[\s/–—-]+/).map(letters))
    return name.split('-').every((word) => words.has(word)) ? writtenTitle(heading) : undefined
  }
  return undefined
}

const firstPages = 4
const maxByline = 100

async function findByline(archive: Archive, document: PackageDocument): Promise<string[]> {
  for (const place of pagesOf(archive, document).slice(0, firstPages)) {
    const root = await readRoot(archive, place)
    const meta = elementsNamed(root, 'meta').find((each) => /^author$/i.test(attribute(each, 'name') ?? ''))
    const byline = (root ? elementsIn(root) : []).find(
      (each) =>
        /(^|[\s_-])(author|byline|personname)s?([\s_-]|$)/i.test(attribute(each, 'class') ?? '') &&
        textOf(each).length <= maxByline,
    )
    const names = namesOf([{ text: attribute(meta, 'content') ?? textOf(byline) }])
    if (names.length > 0) return names
  }
  return []
}

type Titles = Pick<ReadBook, 'title' | 'subtitle'>
type Metadata = Titles &
  Pick<ReadBook, 'authors' | 'language' | 'description' | 'publisher' | 'published_on' | 'isbn'>

const maxDescription = 4_000

function readMetadata({ root }: PackageDocument): Metadata {
  const named = (name: string) => elementsNamed(root, name)
  const metas = named('meta')
  /** EPUB 3 refines an element by its id, EPUB 2 in an attribute, and OEB 1.2 in one without a prefix. */
  const refinement = (element: Element, property: string) => {
    const id = attribute(element, 'id')
    const meta = metas.find(
      (each) => id && attribute(each, 'refines') === `#${id}` && attribute(each, 'property') === property,
    )
    return meta ? textOf(meta) : (attribute(element, `opf:${property}`) ?? attribute(element, property))
  }
  const lineOf = (element: Element) => limitTitle(textOf(element))
  const first = (name: string) => textOf(named(name)[0]) || undefined
  return withoutBlanks({
    ...titlesOf(named('title').map((each) => ({ text: lineOf(each), type: refinement(each, 'title-type') }))),
    authors: namesOf(
      named('creator').map((each) => ({
        text: lineOf(each),
        role: refinement(each, 'role'),
        fileAs: refinement(each, 'file-as'),
      })),
    ),
    language: languageOf(meaningful(first('language'))),
    description: descriptionOf(rawText(named('description')[0])),
    publisher: meaningful(limitTitle(first('publisher') ?? '')),
    // EPUB 2 names the event of each date.
    published_on: dateIn(
      textOf(named('date').find((each) => /^publication$/i.test(refinement(each, 'event') ?? 'publication'))),
    ),
    isbn: named('identifier')
      .map((each) => isbnOf(textOf(each)))
      .find(Boolean),
  })
}

/**
 * A day, a month or a year. Programs that know none write one of the first centuries, or the moment at which they made the
 * file.
 */
function dateIn(text: string): string | undefined {
  const [, date = ''] = /^([12]\d{3}(?:-\d\d){0,2})(?:T00:00\S*)?$/.exec(text.trim()) ?? []
  return Number.isNaN(Date.parse(date)) ? undefined : date
}

function withoutBlanks<Value extends object>(value: Value): Value {
  for (const name of Object.keys(value))
    if (Reflect.get(value, name) === undefined) Reflect.deleteProperty(value, name)
  return value
}

function titlesOf(all: { text: string; type: string | undefined }[]): Titles {
  const titles = all.flatMap(({ text, type }) => {
    const title = writtenTitle(text)
    return title === undefined ? [] : [{ text: title, type }]
  })
  const subtitle = titles.find(({ type }) => type === 'subtitle')?.text
  const main = titles.find(({ type }) => type === 'main') ?? titles.find(({ type }) => type !== 'subtitle')
  return subtitle === undefined ? splitTitle(main?.text) : { title: main?.text, subtitle }
}

export function splitTitle(title: string | undefined): Titles {
  const [, main, subtitle] = /^(.{2,}?)\s*:\s+(.+)$/.exec(title ?? '') ?? []
  return main && subtitle ? { title: main, subtitle } : { title }
}

export function languageOf(text: string | undefined): string | undefined {
  try {
    const [tag] = Intl.getCanonicalLocales((text ?? '').replaceAll('_', '-'))
    return tag === 'und' ? undefined : tag
  } catch {
    return undefined
  }
}

/** Many programs write HTML there. */
export function descriptionOf(source: string | undefined) {
  const isHtml = source !== undefined && /<[a-z][^>]*>|&(#\d+|[a-z]+);/i.test(source)
  const text = isHtml
    ? plainTextOf(readXhtml(Buffer.from(`<div>${source}</div>`)))
    : joinParagraphs(source ?? '')
  return meaningful(text && wholeSentences(text, maxDescription))
}

/** Blank lines divide a plain text into paragraphs; its other breaks are those of the lines. */
export function joinParagraphs(text: string): string {
  const paragraphs = text.split(/\r?\n\s*\n/).map(clean)
  return paragraphs.filter(Boolean).join('\n\n')
}

/** ISO 2108: 13 digits, or ten of which the last may be an X; the last one is a check of the others. */
function isbnOf(identifier: string) {
  const digits = identifier
    .replace(/^(urn:)?isbn:?/i, '')
    .replaceAll(/[\s-]/g, '')
    .toUpperCase()
  const isIsbn13 = /^97[89]\d{10}$/.test(digits) && weigh(digits, (at) => (at % 2 === 0 ? 1 : 3)) % 10 === 0
  const isIsbn10 = /^\d{9}[\dX]$/.test(digits) && weigh(digits, (at) => 10 - at) % 11 === 0
  return isIsbn13 || isIsbn10 ? digits : undefined
}

function weigh(digits: string, weight: (at: number) => number) {
  const valueOf = (digit: string) => (digit === 'X' ? 10 : Number(digit))
  return Array.from(digits).reduce((sum, digit, at) => sum + valueOf(digit) * weight(at), 0)
}
