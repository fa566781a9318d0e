// The facts of the book's file and its author: a line for each format that is for sale, and one for the book.
import { use } from 'react'
import { formatsTexts } from '#words/buying.ts'
import { homeTexts } from '#words/home.ts'
import { fill, forCount } from '#words/texts.ts'
import { byLocale, formatDay } from '#contract/intl.ts'
import { isDateOrEmpty } from '#contract/book/book.ts'
import type { ShownBook } from '#contract/book/shown-book.ts'
import { fileFormats, type Product } from '#contract/catalog/products.ts'
import { formatCount, formatFileSize } from '../../format/format.tsx'
import { useBook } from '../../shop.ts'
import { ProductsContext } from '../page-data.tsx'

const ofFormats = ['digital', 'paperback', 'hardcover'] as const

export function Facts() {
  const book = useBook()
  const products = use(ProductsContext) ?? []
  if (book.is_sample) return null
  const { language, publisher, published_on } = book
  const ofBook = [languageName(language), publisher, formatPublished(published_on)]
  return (
    <div
      id="facts"
      className="mx-auto mt-10 max-w-2xl space-y-1 text-center text-sm text-pretty wrap-anywhere text-soft tabular-nums"
    >
      {ofFormats.map((format) => {
        const product = products.find((each) => each.format === format)
        const facts = product ? factsOf(format, product, book) : []
        if (facts.length === 0) return null
        return (
          <p key={format}>
            <span className="font-semibold">{formatsTexts.names[format]}</span>
            {` · ${facts.join(' · ')}`}
          </p>
        )
      })}
      <p>{ofBook.filter(Boolean).join(' · ')}</p>
    </div>
  )
}

function factsOf(
  format: (typeof ofFormats)[number],
  { file_sizes = {} }: Product,
  { pages, isbns }: ShownBook,
): string[] {
  const files = fileFormats.flatMap((each) => {
    const bytes = file_sizes[each]
    return bytes === undefined ? [] : `${each.toUpperCase()}, ${formatFileSize(bytes)}`
  })
  const count = pages[format]
  return [
    ...files,
    ...(count > 0 ? [fill(forCount(homeTexts.pages, count), { count: formatCount(count) })] : []),
    // The word ISBN stands on one line with its number.
    ...(isbns[format] ? [fill(homeTexts.isbn, { number: isbns[format] }).replace(' ', '\u00A0')] : []),
  ]
}

const languages = byLocale((locale) => new Intl.DisplayNames(locale, { type: 'language' }))
const month = byLocale(
  (locale) => new Intl.DateTimeFormat(locale, { year: 'numeric', month: 'long', timeZone: 'UTC' }),
)

/** Empty for a tag without a language, as i-klingon, and for what a draft has half typed. */
function languageName(tag: string): string {
  try {
    return languages().of(tag) ?? ''
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
