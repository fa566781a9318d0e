// The summary of what is about to be paid, above the questions of a dialog.
import { cardsTexts, formatsTexts } from '#words/buying.ts'
import type { Product } from '#contract/catalog/products.ts'
import { comingWords } from '#contract/orders/release-words.ts'
import { Cover, Picture } from '../../product/cover.tsx'
import { SellerLine } from '../../product/seller-line.tsx'
import { useFormatMoney } from '../../format/money.tsx'
import { shippingLine, withTax } from '../../product/offers.ts'
import { useSaleMode, useShippingRange, useTaxInPrices } from '../../shop.ts'
import { useDiscount } from '../discount/entered-discount.ts'
import { DiscountSentence, useLowersPrices } from '../discount/discount-sentence.tsx'

type OrderSummaryProps = { product: Product; price: number }

export function OrderSummary({ product, price }: OrderSummaryProps) {
  const { format, cover, ships, release } = product
  const range = useShippingRange()
  const formatMoney = useFormatMoney()
  const in_prices = useTaxInPrices()
  const discount = useDiscount()
  const lowers = useLowersPrices([product], discount)
  const isCharged = useSaleMode() === 'paid' && price > 0
  const atOnce = release ? undefined : cardsTexts.nothingToShip
  const delivery = ships ? shippingLine(range, formatMoney, in_prices) : atOnce
  const look = 'h-auto w-full rounded-sm shadow-sm outline outline-cover-edge'
  return (
    <>
      <div className="mt-4 flex items-center gap-4 rounded-md bg-ink/4 px-4 py-3">
        <div className="w-11 shrink-0">
          {cover ? (
            <Picture picture={cover} alt="" sizes="3rem" className={look} />
          ) : (
            <Cover sizes="3rem" className={look} />
          )}
        </div>
        <p className="min-w-0">
          <span className="block font-semibold tabular-nums">
            {formatsTexts.names[format]} · {withTax(formatMoney(price), in_prices)}
          </span>
          {lowers && discount && (
            <span className="block text-sm text-success">
              <DiscountSentence discount={discount} products={[product]} />
            </span>
          )}
          {delivery && <span className="block text-sm text-soft">{delivery}</span>}
        </p>
      </div>
      {release && (
        <p className="mt-3 font-semibold text-pretty">{comingWords({ release, ships }, isCharged)}</p>
      )}
      <SellerLine {...{ product, price }} className="mt-3" />
    </>
  )
}
