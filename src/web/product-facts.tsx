// A product's price and what one gets for it.
import { Link } from 'react-router'
import { cardsTexts } from '#words/cards.ts'
import { fill } from '#words/fill.ts'
import type { Product } from '#contract/catalog/products.ts'
import { Check, Download, Truck } from './components/icons.tsx'
import { useFormatMoney, useFormatShortMoney } from './money.tsx'
import { formatDay } from '#contract/format-day.ts'
import { cardLines, isPreorder, shippingLine, type Saving } from './offers.ts'
import { useSaleMode, useSendsMail, useShippingRange } from './shop.ts'

type ProductPriceProps = { product: Product; price: number; saving: Saving | undefined }

export function ProductPrice({ product, price, saving }: ProductPriceProps) {
  const formatMoney = useFormatMoney()
  return (
    <p className="my-5 flex flex-wrap items-baseline gap-x-2.5">
      <span className="font-display text-3xl">
        {product.price === 0 ? cardsTexts.free : formatMoney(price)}
      </span>
      {saving && (
        <s className="text-soft">
          <span className="sr-only">{cardsTexts.insteadOf} </span>
          {formatMoney(saving.fullPrice)}
        </s>
      )}
    </p>
  )
}

export function SavingBadge({ saved }: Saving) {
  const amount = useFormatShortMoney()(saved)
  return (
    <p className="rounded-sm bg-success/12 px-2 py-0.5 text-sm font-semibold text-success">
      {fill(cardsTexts.save, { amount })}
    </p>
  )
}

export function ProductLines({ product }: { product: Product }) {
  return (
    <ul className="mt-5 mb-7 space-y-2.5 border-t border-line pt-5 text-pretty">
      <Preorder product={product} />
      {cardLines(product).map((item) => (
        <li key={item} className="flex gap-2.5 wrap-anywhere">
          <Check aria-hidden className="mt-1 size-4 shrink-0 text-gold-text" />
          {item}
        </li>
      ))}
      {(product.ships || !isPreorder(product)) && <Shipping {...product} />}
    </ul>
  )
}

/** Only the day, where no money is taken. */
function Preorder({ product: { id, release, price } }: { product: Product }) {
  const mode = useSaleMode()
  const sendsMail = useSendsMail()
  if (!release) return null
  const isCharged = mode === 'paid' && price > 0
  const whole = isCharged ? cardsTexts.preorder : cardsTexts.outOn
  const words = release.is_partial ? cardsTexts.completeOn : whole
  return (
    <li className="font-semibold wrap-anywhere">
      {fill(words, { date: formatDay(release.on) })}{' '}
      {sendsMail && !release.is_partial && (
        <Link
          to={`/tell-me/${id}`}
          className="inline-block rounded-sm py-1 text-ink underline underline-offset-4"
        >
          {cardsTexts.tellMe}
        </Link>
      )}
    </li>
  )
}

function Shipping({ ships }: Pick<Product, 'ships'>) {
  const range = useShippingRange()
  const format = useFormatMoney()
  const Icon = ships ? Truck : Download
  return (
    <li className="flex gap-2.5">
      <Icon aria-hidden className="mt-1 size-4 shrink-0 text-gold-text" />
      {ships ? shippingLine(range, format) : cardsTexts.nothingToShip}
    </li>
  )
}
