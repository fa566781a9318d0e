// The only product's button, else the way to the products.
import { cardsTexts } from '#words/cards.ts'
import { fill } from '#words/fill.ts'
import { homeTexts } from '#words/home.ts'
import type { Product } from '#contract/catalog/products.ts'
import { Anchor } from '../../components/anchor.tsx'
import { buttonClass } from '../../components/button.tsx'
import { useFormatShortMoney } from '../../money.tsx'
import { onlyOffer, shortPrice } from '../../offers.ts'
import { useBook } from '../../shop.ts'
import { BuyButton } from './buy-button.tsx'
import { useOffer } from '../../use-offer.ts'

export function BuyNow({ products, className }: { products: readonly Product[]; className: string }) {
  const { is_sample } = useBook()
  const product = is_sample ? undefined : onlyOffer(products)
  if (product) return <BuyOnly product={product} className={className} />
  return (
    <Anchor to="book-sales" className={buttonClass('primary', className)}>
      {homeTexts.getTheBook}
    </Anchor>
  )
}

function BuyOnly({ product, className }: { product: Product; className: string }) {
  const { price, code } = useOffer(product)
  const formatShort = useFormatShortMoney()
  const label =
    price === 0 ? cardsTexts.getFree : fill(cardsTexts.buyFor, { price: shortPrice(price, formatShort) })
  return <BuyButton {...{ product, price, code, label, className }} look="primary" isWanted={false} />
}
