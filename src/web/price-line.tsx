// What the products cost, in a line.
import { cardsTexts } from '#words/cards.ts'
import { formatsTexts } from '#words/formats.ts'
import type { Product } from '#contract/catalog/products.ts'
import { useFormatMoney, useFormatShortMoney } from './money.tsx'
import { formatFormats, isOffered, onlyOffer, priceFrom, shippingLine } from './offers.ts'
import { useShippingRange } from './shop.ts'
import { useFindOffer } from './use-offer.ts'

type Products = { products: readonly Product[] }

/** “From $9 · Digital and paperback” */
export function PriceLine({ products }: Products) {
  const formats = [...new Set(products.filter(isOffered).map(({ format }) => format))]
  return (
    <>
      <LowestPrice products={products} />
      {formats.length > 0 && <span>{` · ${formatFormats(formats)}`}</span>}
    </>
  )
}

/** Beside a button that has the price of the only product. */
export function OfferLine({ products }: Products) {
  const range = useShippingRange()
  const formatMoney = useFormatMoney()
  const product = onlyOffer(products)
  if (!product) return <PriceLine products={products} />
  const delivery = product.ships ? shippingLine(range, formatMoney) : cardsTexts.nothingToShip
  return `${formatsTexts.names[product.format]} · ${delivery}`
}

/** Or why there is none. */
export function LowestPrice({ products }: Products) {
  const formatShort = useFormatShortMoney()
  const findOffer = useFindOffer()
  const prices = products.filter(isOffered).map((product) => findOffer(product).price)
  if (prices.length > 0) return priceFrom(prices, formatShort)
  if (products.length === 0) return null
  return products.some(({ is_available_soon }) => is_available_soon) ? cardsTexts.soon : cardsTexts.soldOut
}
