import { cardsTexts } from '#words/cards.ts'
import type { ReactNode } from 'react'
import { formatsTexts } from '#words/formats.ts'
import type { Product } from '#contract/catalog/products.ts'
import type { Saving } from './offers.ts'
import { ProductLines, ProductPrice, SavingBadge } from './product-facts.tsx'
import { ProductPicture } from './product-picture.tsx'

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

export function AvailableSoon() {
  return <p className="self-end py-2.5 text-center font-semibold text-soft">{cardsTexts.soon}</p>
}
