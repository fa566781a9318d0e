// Prices with the discount code that was entered: of one product, and of all in a line.
import { lowerPrice, savingWith, takesOff, type Saving } from '#contract/orders/prices.ts'
import type { Discount } from '#contract/orders/discounts.ts'
import { productsOfBook } from '#contract/catalog/product-name.ts'
import type { Product } from '#contract/catalog/products.ts'
import { useBookFacts, useCurrency, useShippingRange, useTaxInPrices } from '../../shop.ts'
import { cardsTexts, formatsTexts } from '#words/buying.ts'
import { useFormatMoney, useFormatShortMoney } from '../../format/money.tsx'
import {
  formatFormats,
  isAtOnce,
  isOffered,
  onlyOffer,
  priceFrom,
  shippingLine,
  taxLine,
  withTax,
} from '../../product/offers.ts'
import { discountFor, useDiscount } from './entered-discount.ts'

type Offer = { price: number; code: string | undefined; saving: Saving | undefined }

export function offerWith(product: Product, discount: Discount | undefined, currency: string): Offer {
  const valid = discountFor(product, discount, currency)
  if (!valid) return { price: product.price, code: undefined, saving: undefined }
  const { price } = lowerPrice(product.price, valid, currency)
  return { price, code: valid.code, saving: savingWith(product, valid, currency) }
}

/** “20% off” of each, or “$3.00 off” the lowest price before; undefined where it cannot be said of all that it makes cheaper. */
export function announcedOff(
  products: readonly Product[],
  discount: Discount,
  { currency, formatMoney }: { currency: string; formatMoney: (amount: number) => string },
): string | undefined {
  const lowered = products.filter((each) => discountFor(each, discount, currency))
  const amounts = lowered.map((product) => {
    const saving = savingWith(product, discount, currency)
    if (saving?.fullPrice === product.price) return takesOff(discount, formatMoney)
    return saving && takesOff({ percent: null, amount_off: saving.saved }, formatMoney)
  })
  const [first] = amounts
  return amounts.every((each) => each === first) ? first : undefined
}

export function useFindOffer(): (product: Product) => Offer {
  const discount = useDiscount()
  const currency = useCurrency()
  return (product) => offerWith(product, discount, currency)
}

export function useOffer(product: Product): Offer {
  return useFindOffer()(product)
}

type Products = { products: readonly Product[] }

function useOfBook(products: readonly Product[]): readonly Product[] {
  return productsOfBook(products, useBookFacts().title)
}

/** “From $9 · Digital and paperback”, without other titles. */
export function PriceLine({ products: all }: Products) {
  const products = useOfBook(all)
  const formats = [...new Set(products.filter(isOffered).map(({ format }) => format))]
  return (
    <>
      <LowestPrice products={products} />
      {formats.length > 0 && <span>{` · ${formatFormats(formats)}`}</span>}
    </>
  )
}

/** The line stands beside a button that has the price of the only product. */
export function OfferLine({ products }: Products) {
  const range = useShippingRange()
  const formatMoney = useFormatMoney()
  const in_prices = useTaxInPrices()
  const product = onlyOffer(products)
  if (!product) return <PriceLine products={products} />
  const atOnce = isAtOnce(product) && cardsTexts.nothingToShip
  const delivery = product.ships ? shippingLine(range, formatMoney) : atOnce
  const tax = product.price > 0 && taxLine(in_prices)
  return <span>{[formatsTexts.names[product.format], delivery, tax].filter(Boolean).join(' · ')}</span>
}

/** Shows the lowest price of the book, or why there is none. */
export function LowestPrice({ products: all }: Products) {
  const products = useOfBook(all)
  const formatShort = useFormatShortMoney()
  const findOffer = useFindOffer()
  const in_prices = useTaxInPrices()
  const prices = products.filter(isOffered).map((product) => findOffer(product).price)
  if (prices.length > 0) {
    const price = priceFrom(prices, formatShort)
    return <span>{Math.min(...prices) > 0 ? withTax(price, in_prices) : price}</span>
  }
  if (products.length === 0) return null
  const isSoon = products.some(({ is_available_soon }) => is_available_soon)
  return <span>{isSoon ? cardsTexts.soon : cardsTexts.soldOut}</span>
}
