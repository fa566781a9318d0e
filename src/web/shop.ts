// The shop's facts that every page has: in the app from the root's loader, on the site from what renders the page, in an
// island from the data that the page carries.
import { createContext, use } from 'react'
import type { ShownBook } from '#contract/book/shown-book.ts'
import type { ExcerptFile } from '#contract/catalog/excerpt-file.ts'
import type { LettersTerms } from '#contract/mail/letters.ts'
import type { SaleMode } from '#contract/catalog/products.ts'
import type { DeliveryDays, EuPaper } from '#contract/orders/eu-paper.ts'
import type { ShippingRange, TaxInPrices } from '#contract/orders/prices.ts'
import type { Seller } from '#contract/orders/seller.ts'
import type { Parcels, ShopFacts } from '#pages/render.ts'
import { changedSaleMode, changedShipping } from './page/page-state.ts'
import { useStore } from './page/use-page.ts'

/** The facts that islands read of the book; all of it would be as heavy as the page. */
export type BookFacts = Pick<
  ShownBook,
  'title' | 'is_sample' | 'cover' | 'drawn_cover' | 'claims' | 'legal' | 'language'
>

export type Shop = ShopFacts & { siteUrl: string; book: BookFacts }

export const ShopContext = createContext<Shop | undefined>(undefined)

/** The book is undefined in islands. */
export const BookContext = createContext<ShownBook | undefined>(undefined)

function useShop(): Shop {
  const shop = use(ShopContext)
  if (!shop) throw new Error('This is shown outside of the site.')
  return shop
}

export function useBookFacts(): BookFacts {
  return useShop().book
}

export function useBook(): ShownBook {
  const book = use(BookContext)
  if (!book) throw new Error('An island reads more of the book than the page carries.')
  return book
}

export function useHasGuestCheckout(): boolean {
  return useShop().hasGuestCheckout
}

export function useHasWithdrawal(): boolean {
  return useShop().hasWithdrawal
}

/** Taxes may be added on the payment page. */
export function useHasTax(): boolean {
  return useShop().hasTax
}

export function useTaxInPrices(): TaxInPrices | undefined {
  return useShop().taxInPrices
}

/** The author where no money is taken. */
export function useDigitalSeller(): Seller {
  return useShop().digitalSeller
}

/** Payments are set up with a test key. */
export function useIsTestMode(): boolean {
  return useShop().isTestMode
}

/** ISO code in lower case. */
export function useCurrency(): string {
  return useShop().currency
}

export function useSaleMode(): SaleMode {
  const { saleMode } = useShop()
  return useStore(changedSaleMode) ?? saleMode
}

/** False while nothing of an own book can be bought. */
export function useIsForSale(): boolean {
  const { is_sample } = useBookFacts()
  const mode = useSaleMode()
  return is_sample || (mode !== 'not_for_sale' && mode !== 'key_missing')
}

/** Nothing of an own book is for sale yet, and visitors may ask to be told when it is. */
export function useIsAwaited(): boolean {
  const { book, sendsMail } = useShop()
  return useSaleMode() === 'not_for_sale' && sendsMail && !book.is_sample
}

export function useShippingRange(): ShippingRange {
  const { shipping } = useShop()
  return useStore(changedShipping) ?? shipping
}

/** Null until the author has said how long it takes. */
export function useDeliveryDays(): DeliveryDays | null {
  return useShop().deliveryDays
}

export function useParcels(): Parcels {
  return useShop().parcels
}

/** Null where the law of the European Union asks for nothing beside a book on paper. */
export function useEuPaper(): EuPaper | null {
  return useShop().euPaper
}

/** Null where the author sends no letters. */
export function useLettersTerms(): LettersTerms | null {
  return useShop().letters
}

/** Null where none is given by email. */
export function useExcerpt(): ExcerptFile | null {
  return useShop().excerpt
}

export function useSendsMail(): boolean {
  return useShop().sendsMail
}
