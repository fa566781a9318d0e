// The question whether the tax is in the prices, which Today and the checks before the opening ask.
import { whyNotAdded } from '#contract/settings/settings.ts'
import type { Product } from '#contract/catalog/products.ts'
import type { TaxQuestion } from '#contract/overview/today.ts'
import type { PublishedBook } from '#domains/book/published-book.ts'
import { saleModeOf } from '#domains/catalog/sale-mode.ts'
import { sellsPaperToEu } from '#domains/orders/eu-paper.ts'
import { paymentMode } from '#platform/stripe/payments.ts'
import type { Settings } from '#platform/settings.ts'

type Dependencies = { settings: Pick<Settings, 'get'> }
type SoldBook = Pick<PublishedBook, 'is_own' | 'document'>
type Sold = readonly Pick<Product, 'ships'>[] | undefined

/** The screens refuse some of what it asks about; the environment may have brought that. */
export function findTaxQuestion(services: Dependencies, book: SoldBook, products: Sold): TaxQuestion | null {
  if (paymentMode(services.settings) === 'none') return null
  const { tax, shipping } = services.settings.get()
  const { has_tax, digital_seller, in_prices } = tax
  const isUnsaid = in_prices === undefined || in_prices === 'none'
  if (isUnsaid && digital_seller === 'stripe') return 'unsaid_for_link'
  if (isUnsaid && has_tax) return 'unsaid'
  if (in_prices === undefined && sellsToEu(services, book, products)) return 'unsaid_in_eu'
  return whyNotAdded(tax, shipping.countries) ? 'added_in_eu' : null
}

/** Files have no country: the author says it where the buyer's consent is asked for. */
function sellsToEu(services: Dependencies, book: SoldBook, products: Sold): boolean {
  const isPaid = book.is_own && saleModeOf(services, book.is_own) === 'paid'
  return (isPaid && book.document.legal.consent.is_asked) || sellsPaperToEu(services, book, products)
}
