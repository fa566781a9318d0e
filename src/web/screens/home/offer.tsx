import type { Product } from '#features/products/contract/products.ts'
import { discountedPrice, takenOff } from '#features/discounts/contract/discounted-price.ts'
import type { Saving } from '../../offers.ts'
import { ProductCard } from '../../product-card.tsx'
import { BuyButton } from './buy-button.tsx'
import { discountFor, useDiscount } from './discount.ts'
import { useIsWanted } from './use-is-wanted.ts'

type OfferProps = {
  product: Product
  label: string | undefined
  saving: Saving | undefined
}

export function Offer({ product, label, saving }: OfferProps) {
  const isWanted = useIsWanted(product.id)
  const discount = discountFor(product, useDiscount())
  const price = discount ? discountedPrice(product.price, discount) : product.price
  const saved = discount && { fullPrice: product.price, saved: takenOff(product.price, discount) }
  return (
    <ProductCard product={product} price={price} saving={saved ?? saving} isWanted={isWanted}>
      <BuyButton
        product={product}
        label={label ?? 'Buy'}
        look={product.format === 'bundle' ? 'primary' : 'outline'}
        isWanted={isWanted}
        code={discount?.code}
        price={price}
      />
    </ProductCard>
  )
}
