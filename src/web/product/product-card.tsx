// A product as a card: its picture, its price, and what one gets for it. On a phone the card is a row.
import { ButtonLink, Link } from '../components/button.tsx'
import { cardsTexts, formatsTexts } from '#words/buying.ts'
import { fill } from '#words/texts.ts'
import type { Product } from '#contract/catalog/products.ts'
import { Check, Download, Truck } from '../components/icons.tsx'
import { useSeller } from './seller-line.tsx'
import { useFormatMoney, useFormatShortMoney } from '../format/money.tsx'
import type { Saving } from '#contract/orders/prices.ts'
import { isOtherTitle, ownName } from '#contract/catalog/product-name.ts'
import { deliveryTime } from '#contract/orders/parcel-words.ts'
import { comingWords } from '#contract/orders/release-words.ts'
import { cardLines, isAtOnce, isOffered, postLines, shippingLine, taxLine } from './offers.ts'
import { useMakerLines } from './eu-paper.tsx'
import {
  useBookFacts,
  useDeliveryDays,
  useIsAwaited,
  useParcels,
  useSaleMode,
  useSendsMail,
  useShippingRange,
  useTaxInPrices,
} from '../shop.ts'
import type { ReactNode } from 'react'
import { ProductPicture } from './product-picture.tsx'

type PriceProps = { product: Product; price: number }
type SavingProps = PriceProps & { saving: Saving | undefined }

/** A code changes it: in a page that the browser translates, React finds the text by its element alone. */
function Price({ product, price }: PriceProps) {
  const formatMoney = useFormatMoney()
  return <span>{product.price === 0 ? cardsTexts.free : formatMoney(price)}</span>
}

export function ProductPrice({ product, price, saving }: SavingProps) {
  return (
    <p className="my-5 flex flex-wrap content-start items-baseline gap-x-2.5">
      <span className="font-display text-3xl">
        <Price product={product} price={price} />
      </span>
      <PriceNotes price={price} saving={saving} />
    </p>
  )
}

/** The price before, the tax, and which price is struck out. */
function PriceNotes({ price, saving }: Omit<SavingProps, 'product'>) {
  const formatMoney = useFormatMoney()
  const tax = taxLine(useTaxInPrices())
  return (
    <>
      {saving?.fullPrice !== undefined && (
        <s className="text-soft">
          <span className="sr-only">{cardsTexts.insteadOf} </span>
          <span>{formatMoney(saving.fullPrice)}</span>
        </s>
      )}
      {tax && price > 0 && <span className="text-sm text-soft">{tax}</span>}
      {saving?.isLowest && <span className="basis-full text-sm text-soft">{cardsTexts.lowestBefore}</span>}
    </>
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

type ProductLinesProps = { product: Product; className?: string }

export function ProductLines({
  product,
  className = 'mt-5 mb-7 space-y-2.5 border-t border-line pt-5',
}: ProductLinesProps) {
  const lines = useLines(product)
  return (
    <ul className={`text-pretty ${className}`}>
      <Preorder product={product} />
      {lines.map((item) => (
        <li key={item} className="flex gap-2.5 wrap-anywhere">
          <Check aria-hidden className="mt-[0.3em] size-[1em] shrink-0 text-gold-text" />
          {item}
        </li>
      ))}
      {(product.ships || isAtOnce(product)) && <Shipping product={product} />}
      <SoldByLink product={product} />
    </ul>
  )
}

/** A book on paper of which the author has said nothing yet is at least posted by somebody to somewhere. */
function useLines(product: Product): string[] {
  const { is_sample } = useBookFacts()
  const parcels = useParcels()
  const lines = cardLines(product)
  return lines.length === 0 && product.ships && !is_sample ? postLines(parcels) : lines
}

/** Shows only the day, where no money is taken. */
function Preorder({ product: { id, release, price, ships } }: { product: Product }) {
  const mode = useSaleMode()
  const sendsMail = useSendsMail()
  if (!release) return null
  return (
    <li className="font-semibold wrap-anywhere">
      {comingWords({ release, ships }, mode === 'paid' && price > 0)}{' '}
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

function Shipping({ product }: { product: Product }) {
  const { ships } = product
  const range = useShippingRange()
  const days = useDeliveryDays()
  const format = useFormatMoney()
  const in_prices = useTaxInPrices()
  const Icon = ships ? Truck : Download
  return (
    <li className="flex gap-2.5">
      <Icon aria-hidden className="mt-[0.3em] size-[1em] shrink-0 text-gold-text" />
      <span>
        {ships ? shippingLine(range, format, in_prices) : cardsTexts.nothingToShip}
        {ships && days && isOffered(product) && <span className="block">{deliveryTime(product, days)}</span>}
      </span>
    </li>
  )
}

function SoldByLink({ product }: { product: Product }) {
  const seller = useSeller({ product, price: product.price })
  if (seller !== 'stripe') return null
  return (
    <li className="flex gap-2.5">
      <Check aria-hidden className="mt-[0.3em] size-[1em] shrink-0 text-gold-text" />
      {cardsTexts.soldByLink}
    </li>
  )
}

type MakerProps = { product: Product; className?: string }

/** Names who answers for a book on paper, and which one it is, where the law asks for it: folded, below the button. */
export function FoldedMaker({ product, className = '' }: MakerProps) {
  const lines = useMakerLines(product)
  if (lines.length === 0) return null
  return (
    <details className={`text-sm text-soft ${className}`}>
      <summary className="cursor-pointer rounded-sm py-1 underline underline-offset-4 hover:text-ink">
        {cardsTexts.makerAndSafety}
      </summary>
      <div className="mt-1 space-y-1 wrap-anywhere">
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
    </details>
  )
}

type ProductCardProps = {
  product: Product
  price?: number
  saving: Saving | undefined
  /** A bundle that costs less than what it holds. */
  isBestValue?: boolean
  isChosen?: boolean
  /** It is one of four columns, too narrow for format and price in one line. */
  isNarrow?: boolean
  children: ReactNode
}

export function ProductCard(props: ProductCardProps) {
  const { product, isBestValue, isChosen, children } = props
  const isBest = product.format === 'bundle'
  return (
    <li
      data-chosen={isChosen || undefined}
      className={`relative row-span-8 mb-8 grid grid-rows-subgrid gap-y-0 rounded-lg border bg-surface data-chosen:border-gold-text data-chosen:ring-3 data-chosen:ring-gold max-sm:mb-6 max-sm:grid-cols-[6.5rem_1fr] max-sm:gap-x-4 max-sm:p-4 sm:p-7 ${isBest ? 'border-gold max-sm:pt-6 shadow-xl ring-1 shadow-gold/15 ring-gold' : 'border-line'}`}
    >
      {isBest && isBestValue && (
        <p className="absolute -top-3.5 left-1/2 -translate-x-1/2 rounded-full bg-ink px-3.5 py-1 text-sm font-semibold whitespace-nowrap text-page">
          {cardsTexts.bestValue}
        </p>
      )}
      <ProductPicture {...product} isInCard />
      {/* One column beside the picture on a phone; else each of its parts has a row of its own. */}
      <div className="min-w-0 sm:contents">
        <CardHead {...props} />
        <p className="text-pretty wrap-anywhere text-soft max-sm:mt-1 max-sm:text-sm">
          {product.description}
        </p>
        <ProductLines
          product={product}
          className="max-sm:mt-2 max-sm:space-y-1 max-sm:text-sm sm:mt-5 sm:mb-7 sm:space-y-2.5 sm:border-t sm:border-line sm:pt-5"
        />
      </div>
      <div className="grid max-sm:col-span-2 max-sm:mt-4">{children}</div>
      <FoldedMaker product={product} className="mt-3 max-sm:col-span-2" />
    </li>
  )
}

/**
 * The headline is the format, since the book's title stands above all cards, or the name of another title. The price is in its
 * line where that has room.
 */
function CardHead({ product, price = product.price, saving, isNarrow }: ProductCardProps) {
  const { title, is_sample } = useBookFacts()
  const formatName = formatsTexts.names[product.format]
  const isOther = !is_sample && isOtherTitle(product, title)
  const name = is_sample ? product.name : ownName(product, title)
  const [headline, detail] = isOther ? [name, formatName] : [formatName, name]
  return (
    <>
      <div
        className={`flex items-baseline justify-between gap-x-3 gap-y-1 max-sm:flex-wrap ${isNarrow ? 'sm:contents' : 'sm:max-lg:contents lg:row-span-2 lg:mt-6'}`}
      >
        <h3 className={`min-w-0 ${isNarrow ? 'sm:mt-6' : 'sm:max-lg:mt-6'}`}>
          <span
            title={headline}
            className="line-clamp-4 font-display text-xl text-pretty wrap-anywhere sm:text-2xl"
          >
            {headline}
          </span>
          {detail && (
            <span
              title={detail}
              className="mt-0.5 line-clamp-4 text-sm font-normal text-pretty wrap-anywhere text-soft"
            >
              {detail}
            </span>
          )}
        </h3>
        <p className={`font-display text-xl ${isNarrow ? 'sm:mt-3 sm:text-3xl' : 'sm:text-2xl'}`}>
          <Price product={product} price={price} />
        </p>
      </div>
      <div className="flex flex-wrap content-start items-baseline gap-x-2.5 sm:mb-4">
        <p className="contents">
          <PriceNotes price={price} saving={saving} />
        </p>
        {saving && <SavingBadge {...saving} />}
      </div>
    </>
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
