// What an EPUB says of its book: title, people, language and so on.
import { plainTextOf } from './chapter-text.ts'
import type { PackageDocument } from './package-document.ts'
import { attribute, textOf, type Element } from './tree.ts'
import { readXhtml } from './xml.ts'

export type Metadata = {
  title?: string
  subtitle?: string
  authors: string[]
  /** A language tag, as in `en`. */
  language?: string
  description?: string
  publisher?: string
  /** Digits only. */
  isbn?: string
}

const maxTitle = 300
const maxDescription = 4_000
const maxAuthors = 20

export function readMetadata({ elements }: PackageDocument): Metadata {
  const named = (name: string) => elements.filter(({ tagName }) => tagName === name)
  const metas = named('meta')
  /** EPUB 3 says it of the id, EPUB 2 in an attribute. */
  const refinement = (element: Element, property: string): string | undefined => {
    const id = attribute(element, 'id')
    const meta = metas.find(
      (each) => id && attribute(each, 'refines') === `#${id}` && attribute(each, 'property') === property,
    )
    return meta ? textOf(meta) : attribute(element, `opf:${property}`)
  }
  const first = (name: string) => textOf(named(name)[0]) || undefined
  return withoutBlanks({
    ...titlesOf(
      named('title').map((each) => ({ text: cut(textOf(each)), type: refinement(each, 'title-type') })),
    ),
    authors: authorsOf(
      named('creator').map((each) => ({ name: cut(textOf(each)), role: refinement(each, 'role') })),
    ),
    language: languageOf(first('language')),
    description: descriptionOf(first('description')),
    publisher: first('publisher')?.slice(0, maxTitle),
    isbn: named('identifier')
      .map((each) => isbnOf(textOf(each)))
      .find(Boolean),
  })
}

/** Absent is what is not said. */
function withoutBlanks<Value extends object>(value: Value): Value {
  for (const name of Object.keys(value))
    if (Reflect.get(value, name) === undefined) Reflect.deleteProperty(value, name)
  return value
}

function cut(text: string): string {
  return text.slice(0, maxTitle).toWellFormed()
}

type Title = { text: string; type: string | undefined }

function titlesOf(titles: Title[]): Pick<Metadata, 'title' | 'subtitle'> {
  const subtitle = titles.find(({ type }) => type === 'subtitle')?.text || undefined
  const main = titles.find(({ type }) => type === 'main') ?? titles.find(({ type }) => type !== 'subtitle')
  return subtitle === undefined
    ? splitTitle(main?.text || undefined)
    : { title: main?.text || undefined, subtitle }
}

/** Where there is no field for a subtitle, it follows a colon. */
export function splitTitle(title: string | undefined): Pick<Metadata, 'title' | 'subtitle'> {
  const [, main, subtitle] = /^(.{2,}?)\s*:\s+(.+)$/.exec(title ?? '') ?? []
  return main && subtitle ? { title: main, subtitle } : { title }
}

/** Those who wrote it, before all others who had a part in it. */
function authorsOf(creators: { name: string; role: string | undefined }[]): string[] {
  const named = creators.filter(({ name }) => name !== '')
  const writers = named.filter(({ role }) => role === undefined || role === 'aut')
  return [...new Set((writers.length > 0 ? writers : named).map(({ name }) => name))].slice(0, maxAuthors)
}

export function languageOf(said: string | undefined): string | undefined {
  try {
    const [tag] = Intl.getCanonicalLocales((said ?? '').replaceAll('_', '-'))
    return tag === 'und' ? undefined : tag
  } catch {
    return undefined
  }
}

/** Many programs write HTML there. */
function descriptionOf(said: string | undefined): string | undefined {
  const text =
    said && /<[a-z][^>]*>/i.test(said) ? plainTextOf(readXhtml(Buffer.from(`<div>${said}</div>`))) : said
  return text?.slice(0, maxDescription).toWellFormed() || undefined
}

/** ISO 2108: 13 digits, or ten of which the last may be an X; the last one is a check of the others. */
function isbnOf(identifier: string): string | undefined {
  const digits = identifier
    .replace(/^(urn:)?isbn:?/i, '')
    .replaceAll(/[\s-]/g, '')
    .toUpperCase()
  if (/^97[89]\d{10}$/.test(digits))
    return weigh(digits, (at) => (at % 2 === 0 ? 1 : 3)) % 10 === 0 ? digits : undefined
  if (/^\d{9}[\dX]$/.test(digits)) return weigh(digits, (at) => 10 - at) % 11 === 0 ? digits : undefined
  return undefined
}

function weigh(digits: string, weight: (at: number) => number): number {
  return Array.from(digits).reduce(
    (sum, digit, at) => sum + (digit === 'X' ? 10 : Number(digit)) * weight(at),
    0,
  )
}
