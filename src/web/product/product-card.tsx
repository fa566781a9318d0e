// A product as a card: its picture, its price, and what one gets for it.
import { ButtonLink, Link } from '../components/button.tsx'
import { cardsTexts, formatsTexts } from '#words/buying.ts'
import { fill } from '#words/texts.ts'
import type { Product } from '#contract/catalog/products.ts'
import { Check, Download, Truck } from '../components/icons.tsx'
import { useFormatMoney, useFormatShortMoney } from '../format/money.tsx'
import { formatDay } from '#contract/intl.ts'
import type { Saving } from '#contract/orders/prices.ts'
import { cardLines, deliveryTime, isPreorder, shippingLine, taxLine } from './offers.ts'
import { useMakerLines } from './eu-paper.tsx'
import {
  useDeliveryDays,
  useIsAwaited,
  useSaleMode,
  useSendsMail,
  useShippingRange,
  useTaxInPrices,
} from '../shop.ts'
import type { ReactNode } from 'react'
import { ProductPicture } from './product-picture.tsx'

type ProductPriceProps = { product: Product; price: number; saving: Saving | undefined }

export function ProductPrice({ product, price, saving }: ProductPriceProps) {
  const formatMoney = useFormatMoney()
  const tax = taxLine(useTaxInPrices())
  return (
    <p className="my-5 flex flex-wrap content-start items-baseline gap-x-2.5">
      <span className="font-display text-3xl">
        {product.price === 0 ? cardsTexts.free : formatMoney(price)}
      </span>
      {saving && (
        <s className="text-soft">
          <span className="sr-only">{cardsTexts.insteadOf} </span>
          {formatMoney(saving.fullPrice)}
        </s>
      )}
      {tax && price > 0 && <span className="text-sm text-soft">{tax}</span>}
      {saving?.isLowest && <span className="basis-full text-sm text-soft">{cardsTexts.lowestBefore}</span>}
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
      <Maker product={product} />
    </ul>
  )
}

/** Shows only the day, where no money is taken. */
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
      {sendsMail && !release.is_partial && mode !== 'not_for_sale' && (
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

function Shipping({ ships, release }: Pick<Product, 'ships' | 'release'>) {
  const range = useShippingRange()
  const days = useDeliveryDays()
  const format = useFormatMoney()
  const in_prices = useTaxInPrices()
  const Icon = ships ? Truck : Download
  return (
    <li className="flex gap-2.5">
      <Icon aria-hidden className="mt-1 size-4 shrink-0 text-gold-text" />
      <span>
        {ships ? shippingLine(range, format, in_prices) : cardsTexts.nothingToShip}
        {ships && days && <span className="block">{deliveryTime({ release }, days)}</span>}
      </span>
    </li>
  )
}

/** Names who answers for a book on paper, and which one it is, where the law asks for it. */
function Maker({ product }: { product: Product }) {
  const lines = useMakerLines(product)
  if (lines.length === 0) return null
  return (
    <li className="space-y-1 text-sm wrap-anywhere text-soft">
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </li>
  )
}

type ProductCardProps = {
  product: Product
  price?: number
  saving: Saving | undefined
  /** A bundle that costs less than what it holds. */
  isBestValue?: boolean
  isChosen?: boolean
  children: ReactNode
}

export function ProductCard(props: ProductCardProps) {
  const { product, price = product.price, saving, isBestValue, isChosen, children } = props
  const isBest = product.format === 'bundle'
  return (
    <li
      data-chosen={isChosen || undefined}
      className={`relative data-chosen:border-gold-text data-chosen:ring-3 data-chosen:ring-gold row-span-5 mb-8 grid grid-rows-subgrid gap-y-0 rounded-lg border bg-surface p-7 ${isBest ? 'border-gold shadow-xl shadow-gold/15 ring-1 ring-gold' : 'border-line'}`}
    >
      {isBest && isBestValue && (
        <p className="absolute -top-3.5 left-1/2 -translate-x-1/2 rounded-full bg-ink px-3.5 py-1 text-sm font-semibold whitespace-nowrap text-page">
          {cardsTexts.bestValue}
        </p>
      )}
      <div>
        <ProductPicture {...product} />
        <div className="mt-6 mb-2 flex min-h-7 flex-wrap items-center justify-between gap-x-3">
          <p className="text-sm font-semibold text-gold-text">{formatsTexts.names[product.format]}</p>
          {saving && <SavingBadge {...saving} />}
        </div>
        <h3 title={product.name} className="line-clamp-4 font-display text-xl text-balance wrap-anywhere">
          {product.name}
        </h3>
      </div>
      <ProductPrice {...{ product, price, saving }} />
      <p className="text-pretty wrap-anywhere text-soft">{product.description}</p>
      <ProductLines product={product} />
      {children}
    </li>
  )
}

/** Replaces the button that buys. A shop that has lost its key sold it: nobody waits for it to be out. */
export function AvailableSoon({ id, look }: { id: string; look: 'primary' | 'outline' }) {
  const isAwaited = useIsAwaited()
  return (
    <div className="grid gap-2 self-end">
      <p className="py-1 text-center font-semibold text-soft">{cardsTexts.soon}</p>
      {isAwaited && (
        <ButtonLink to={`/tell-me/${id}`} look={look}>
          {cardsTexts.tellMe}
        </ButtonLink>
      )}
    </div>
  )
}
