// The facts that the law of the European Union wants beside a book on paper: where it holds, and what the author has said.
import type { DeliveryDays, EuPaper } from '#contract/orders/eu-paper.ts'
import { noticeLanguage } from '#contract/orders/eu-paper.ts'
import { euCountries } from '#contract/orders/lawful-countries.ts'
import type { Product } from '#contract/catalog/products.ts'
import type { Legal } from '#contract/book/legal.ts'
import type { PublishedBook } from '#domains/book/published-book.ts'
import { saleModeOf } from '#domains/catalog/sale-mode.ts'
import type { Settings } from '#platform/settings.ts'
import { sellerOf } from './seller.ts'

type Dependencies = { settings: Pick<Settings, 'get'> }
type OwnBook = Pick<PublishedBook, 'is_own' | 'document'>

/** An own book takes money, and something is sent to where the law holds. Products that are not known may be such. */
export function sellsPaperToEu(
  { settings }: Dependencies,
  { is_own }: Pick<OwnBook, 'is_own'>,
  products: readonly Pick<Product, 'ships'>[] | undefined,
): boolean {
  if (!is_own || saleModeOf({ settings }, is_own) !== 'paid') return false
  const { countries } = settings.get().shipping
  return (
    (products?.some(({ ships }) => ships) ?? true) && countries.some((code) => euCountries.includes(code))
  )
}

/** Null where nothing of it is shown. */
export function readEuPaper(
  { settings }: Dependencies,
  book: OwnBook,
  products: readonly Product[] | undefined,
): EuPaper | null {
  if (!sellsPaperToEu({ settings }, book, products)) return null
  const { legal, isbns, language } = book.document
  const { notices } = settings.get().shipping
  return {
    maker: toLine(legal.maker || sellerParts(legal).join('\n')),
    eu_person: toLine(legal.eu_person),
    isbns: { paperback: isbns.paperback, hardcover: isbns.hardcover },
    notice: notices[noticeLanguage(language)] ?? null,
  }
}

/** The seller stands in for the maker: name, postal address and email. */
function sellerParts(legal: Pick<Legal, 'blanks'>): string[] {
  const { name, address, email } = sellerOf(legal)
  return [name, address, email]
}

export function lacksMaker(legal: Pick<Legal, 'blanks' | 'maker'>): boolean {
  return !legal.maker && sellerParts(legal).some((part) => !part)
}

function toLine(text: string): string {
  const lines = text.split('\n').map((line) => line.trim().replace(/,$/, ''))
  return lines.filter(Boolean).join(', ')
}

export function readDeliveryDays({ settings }: Dependencies): DeliveryDays | null {
  const { delivery_days_min: min, delivery_days_max: max } = settings.get().shipping
  return min === null || max === null ? null : { min, max }
}
