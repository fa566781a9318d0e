import { plainTextOf } from './chapter-text.ts'
import type { ReadBook } from './contract/read-book.ts'
import type { PackageDocument } from './package-document.ts'
import { attribute, type Element, elementsNamed, limitTitle, readXhtml, textOf } from './xml.ts'

type Titles = Pick<ReadBook, 'title' | 'subtitle'>
type Metadata = Titles & Pick<ReadBook, 'authors' | 'language' | 'description' | 'publisher' | 'isbn'>

const maxDescription = 4_000
const maxAuthors = 20

export function readMetadata({ root }: PackageDocument): Metadata {
  const named = (name: string) => elementsNamed(root, name)
  const metas = named('meta')
  /** EPUB 3 refines an element by its id, EPUB 2 in an attribute. */
  const refinement = (element: Element, property: string) => {
    const id = attribute(element, 'id')
    const meta = metas.find(
      (each) => id && attribute(each, 'refines') === `#${id}` && attribute(each, 'property') === property,
    )
    return meta ? textOf(meta) : attribute(element, `opf:${property}`)
  }
  const refined = (name: string, property: string) =>
    named(name).map((each) => ({ text: limitTitle(textOf(each)), type: refinement(each, property) }))
  const first = (name: string) => textOf(named(name)[0]) || undefined
  return withoutBlanks({
    ...titlesOf(refined('title', 'title-type')),
    authors: authorsOf(refined('creator', 'role')),
    language: languageOf(first('language')),
    description: descriptionOf(first('description')),
    publisher: limitTitle(first('publisher') ?? '') || undefined,
    isbn: named('identifier')
      .map((each) => isbnOf(textOf(each)))
      .find(Boolean),
  })
}

function withoutBlanks<Value extends object>(value: Value): Value {
  for (const name of Object.keys(value))
    if (Reflect.get(value, name) === undefined) Reflect.deleteProperty(value, name)
  return value
}

type Refined = { text: string; type: string | undefined }

function titlesOf(titles: Refined[]): Titles {
  const subtitle = titles.find(({ type }) => type === 'subtitle')?.text || undefined
  const main = titles.find(({ type }) => type === 'main') ?? titles.find(({ type }) => type !== 'subtitle')
  const title = main?.text || undefined
  return subtitle === undefined ? splitTitle(title) : { title, subtitle }
}

export function splitTitle(title: string | undefined): Titles {
  const [, main, subtitle] = /^(.{2,}?)\s*:\s+(.+)$/.exec(title ?? '') ?? []
  return main && subtitle ? { title: main, subtitle } : { title }
}

function authorsOf(creators: Refined[]) {
  const named = creators.filter(({ text }) => text !== '')
  const writers = named.filter(({ type }) => type === undefined || type === 'aut')
  return [...new Set((writers.length > 0 ? writers : named).map(({ text }) => text))].slice(0, maxAuthors)
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
function descriptionOf(source: string | undefined) {
  const isHtml = source !== undefined && /<[a-z][^>]*>/i.test(source)
  const text = isHtml ? plainTextOf(readXhtml(Buffer.from(`<div>${source}</div>`))) : source
  return text?.slice(0, maxDescription).toWellFormed() || undefined
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
