// The sentence of what a discount code in force does to the prices: as much as may be said to be saved.
import type { Discount } from '#contract/orders/discounts.ts'
import type { Product } from '#contract/catalog/products.ts'
import { buyingTexts } from '#words/buying.ts'
import { fillParts } from '../../format/fill-parts.tsx'
import { useFormatMoney } from '../../format/money.tsx'
import { announcedOff } from './price-line.tsx'
import { discountFor } from './entered-discount.ts'
import { useCurrency } from '../../shop.ts'

export function useLowersPrices(products: readonly Product[], discount: Discount | undefined): boolean {
  const currency = useCurrency()
  return products.some((each) => discountFor(each, discount, currency))
}

type DiscountSentenceProps = { discount: Discount; products: readonly Product[] }

export function DiscountSentence({ discount, products }: DiscountSentenceProps) {
  const formatMoney = useFormatMoney()
  const currency = useCurrency()
  const isOfUse = useLowersPrices(products, discount)
  const product = products.find(({ id }) => id === discount.product_id)
  const code = <strong className="font-semibold wrap-anywhere">{discount.code}</strong>
  if (!isOfUse) return fillParts(buyingTexts.codeChangesNothing, { code })
  const amount = announcedOff(products, discount, { currency, formatMoney })
  if (product)
    return amount
      ? fillParts(buyingTexts.codeTakesProduct, { code, amount, product: product.name })
      : fillParts(buyingTexts.codeAppliedTo, { code, product: product.name })
  return amount
    ? fillParts(buyingTexts.codeTakes, { code, amount })
    : fillParts(buyingTexts.codeApplied, { code })
}
