// The facts of the book and of each format that is for sale, from the book's file and its author. A row without a value is left out.
import { Fragment, use } from 'react'
import { formatsTexts } from '#words/buying.ts'
import { homeTexts } from '#words/home.ts'
import { fill, forCount } from '#words/texts.ts'
import { byLocale, formatDay } from '#contract/intl.ts'
import { isDateOrEmpty } from '#contract/book/book.ts'
import type { ShownBook } from '#contract/book/shown-book.ts'
import { productsOfBook } from '#contract/catalog/product-name.ts'
import { fileFormats, type Product } from '#contract/catalog/products.ts'
import { fillParts } from '../../format/fill-parts.tsx'
import { formatCount, formatFileSize } from '../../format/format.tsx'
import { useBook } from '../../shop.ts'
import { ProductsContext } from '../page-data.tsx'

const ofFormats = ['digital', 'paperback', 'hardcover'] as const

type ColophonProps = {
  /** 0 where the page does not list them. */
  chapters?: number
  className?: string
}

type Row = { label: string; lines: string[]; isbn?: string }

export function Colophon({ chapters = 0, className = '' }: ColophonProps) {
  const book = useBook()
  const products = use(ProductsContext) ?? []
  if (book.is_sample) return null
  const { title, language, publisher, published_on } = book
  const own = productsOfBook(products, title)
  const { colophon } = homeTexts
  const ofBook: Row[] = [
    { label: colophon.chapters, lines: chapters > 0 ? [formatCount(chapters)] : [] },
    { label: colophon.language, lines: [languageName(language)] },
    { label: colophon.publisher, lines: [publisher] },
    { label: colophon.published, lines: [formatPublished(published_on)] },
  ]
  const ofEach = ofFormats.map((format): Row => {
    const label = formatsTexts.names[format]
    const isOfFormat = (each: Product) => each.format === format
    if (!products.some(isOfFormat)) return { label, lines: [] }
    // Another title's files are left out.
    const lines = factsOf(format, own.find(isOfFormat)?.file_sizes, book)
    return { label, lines, isbn: book.isbns[format] }
  })
  const rows = [...ofBook, ...ofEach]
    .map(({ label, lines, isbn }) => ({ label, lines: lines.filter(Boolean), isbn }))
    .filter(({ lines, isbn }) => lines.length > 0 || isbn)
  if (rows.length === 0) return null
  return (
    <dl
      id="colophon"
      className={`grid grid-cols-[auto_1fr] gap-x-4 gap-y-2 text-start wrap-anywhere tabular-nums ${className}`}
    >
      {rows.map(({ label, lines, isbn }) => (
        <Fragment key={label}>
          <dt className="wrap-normal text-soft">{label}</dt>
          <dd>
            {lines.map((line) => (
              <p key={line}>{line}</p>
            ))}
            {isbn && <Isbn number={isbn} />}
          </dd>
        </Fragment>
      ))}
    </dl>
  )
}

/** Browsers break a line at the hyphens of a number, too. */
function Isbn({ number }: { number: string }) {
  return <p>{fillParts(homeTexts.isbn, { number: <span className="whitespace-nowrap">{number}</span> })}</p>
}

function factsOf(
  format: (typeof ofFormats)[number],
  file_sizes: Product['file_sizes'],
  { pages }: ShownBook,
): string[] {
  const files = fileFormats.flatMap((each) => {
    const bytes = file_sizes?.[each]
    return bytes === undefined ? [] : `${each.toUpperCase()}, ${formatFileSize(bytes)}`
  })
  const count = pages[format]
  return [
    ...files,
    ...(count > 0 ? [fill(forCount(homeTexts.pages, count), { count: formatCount(count) })] : []),
  ]
}

const languages = byLocale((locale) => new Intl.DisplayNames(locale, { type: 'language' }))
const month = byLocale(
  (locale) => new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', timeZone: 'UTC' }),
)

/**
 * Says the language without its region, which may have been chosen for dates and prices only; a script that the region
 * tells, as of zh-TW, is said. Empty for a tag without a language, as i-klingon, and for what a draft has half typed.
 */
function languageName(tag: string): string {
  try {
    const { language, script } = new Intl.Locale(tag).maximize()
    const usual = new Intl.Locale(language).maximize().script
    return languages().of(script === usual || !script ? language : `${language}-${script}`) ?? ''
  } catch {
    return ''
  }
}

/** A day, a month or a year; a draft has it half typed. */
function formatPublished(date: string): string {
  if (!isDateOrEmpty(date)) return ''
  if (date.length === '2026-03'.length) return month().format(new Date(`${date}-01T00:00:00Z`))
  return date.length > 4 ? formatDay(date) : date
}
