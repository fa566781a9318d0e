import { cardsTexts } from '#words/cards.ts'
import { fill } from '#words/fill.ts'
import type { ReactNode } from 'react'
import { Check, Download, Truck } from './components/icons.tsx'
import { formatNames } from '#features/products/contract/format-names.ts'
import type { Product, Format } from '#features/products/contract/products.ts'
import { useFormatMoney } from './money.tsx'
import { cardLines, shippingLine, type Saving } from './offers.ts'
import { useShippingRange } from './shop.ts'
import { Cover } from './cover.tsx'
import { Picture } from './picture.tsx'

type ProductCardProps = {
  product: Product
  price?: number
  saving: Saving | undefined
  /** A bundle that costs less than what it holds. */
  isBestValue?: boolean
  isWanted?: boolean
  children: ReactNode
}

export function ProductCard(props: ProductCardProps) {
  const { product, price = product.price, saving, isBestValue, isWanted, children } = props
  const formatMoney = useFormatMoney()
  const isBest = product.format === 'bundle'
  return (
    <li
      data-wanted={isWanted || undefined}
      className={`relative data-wanted:border-gold-text data-wanted:ring-3 data-wanted:ring-gold row-span-5 mb-8 grid grid-rows-subgrid gap-y-0 rounded-lg border bg-surface p-7 ${isBest ? 'border-gold shadow-xl shadow-gold/15 ring-1 ring-gold' : 'border-line'}`}
    >
      {isBest && isBestValue && (
        <p className="absolute -top-3.5 left-1/2 -translate-x-1/2 rounded-full bg-ink px-3.5 py-1 text-sm font-semibold whitespace-nowrap text-page">
          {cardsTexts.bestValue}
        </p>
      )}
      <div>
        <FormatPicture {...product} />
        <div className="mb-2 flex min-h-7 flex-wrap items-center justify-between gap-x-3">
          <p className="text-sm font-semibold text-gold-text">{formatNames[product.format]}</p>
          {saving && (
            <p className="rounded-sm bg-success/12 px-2 py-0.5 text-sm font-semibold text-success">
              {fill(cardsTexts.save, { amount: formatMoney(saving.saved).replace('.00', '') })}
            </p>
          )}
        </div>
        <h3 title={product.name} className="line-clamp-4 font-display text-xl text-balance wrap-anywhere">
          {product.name}
        </h3>
      </div>
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
      <p className="text-pretty wrap-anywhere text-soft">{product.description}</p>
      <ul className="mt-5 mb-7 space-y-2.5 border-t border-line pt-5 text-pretty">
        {cardLines(product).map((item) => (
          <li key={item} className="flex gap-2.5 wrap-anywhere">
            <Check aria-hidden className="mt-1 size-4 shrink-0 text-gold-text" />
            {item}
          </li>
        ))}
        <Shipping {...product} />
      </ul>
      {children}
    </li>
  )
}

export function AvailableSoon() {
  return <p className="self-end py-2.5 text-center font-semibold text-soft">{cardsTexts.soon}</p>
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

type FormatPictureProps = Pick<Product, 'format' | 'holds' | 'cover'>

function FormatPicture({ format, holds, cover }: FormatPictureProps) {
  return (
    <div aria-hidden className="mb-6 grid h-60 place-items-center">
      {cover ? (
        <Picture
          picture={cover}
          alt=""
          sizes="14rem"
          loading="lazy"
          className="max-h-56 w-auto max-w-full rounded-sm shadow-md outline outline-cover-edge"
        />
      ) : (
        <DrawnFormat format={format} holds={holds} />
      )}
    </div>
  )
}

const stack = ['hardcover', 'paperback', 'digital'] as const

function DrawnFormat({ format, holds }: { format: Format; holds: readonly Format[] }) {
  if (format !== 'bundle') return <Mockup format={format} />
  const held = stack.filter((each) => holds.length === 0 || holds.includes(each))
  return (
    <div className="mockups">
      {held.map((each) => (
        <Mockup key={each} format={each} />
      ))}
    </div>
  )
}

function Mockup({ format }: { format: Exclude<Format, 'bundle'> }) {
  return (
    <div className={`mockup mockup-${format}`}>
      <div className="mockup-cover">
        <Cover sizes="9rem" loading="lazy" />
      </div>
    </div>
  )
}
