// Prices with the discount code that was entered.
import type { Product } from '#contract/catalog/products.ts'
import { discountFor, lowerPrice, useDiscount } from './discount.ts'
import { useCurrency } from './shop.ts'

type Lowered = ReturnType<typeof lowerPrice>
type Offer = { price: number; code: string | undefined; lowered: Lowered | undefined }

export function useFindOffer(): (product: Product) => Offer {
  const discount = useDiscount()
  const currency = useCurrency()
  return (product) => {
    const valid = discountFor(product, discount, currency)
    const lowered = valid && lowerPrice(product.price, valid, currency)
    return { price: lowered?.price ?? product.price, code: valid?.code, lowered }
  }
}

export function useOffer(product: Product): Offer {
  return useFindOffer()(product)
}
