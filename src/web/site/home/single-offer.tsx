// The only product of a shop: its picture beside what it is, costs and gives.
import { formatsTexts } from '#words/buying.ts'
import { homeTexts } from '#words/home.ts'
import type { Product } from '#contract/catalog/products.ts'
import { useOffer } from '../discount/price-line.tsx'
import { FoldedMaker, ProductLines, ProductPrice, SavingBadge } from '../../product/product-card.tsx'
import { ProductPicture } from '../../product/product-picture.tsx'
import { BuyButton, useIsChosen } from './buy-button.tsx'

type SingleOfferProps = { product: Product; label: string | undefined }

export function SingleOffer({ product, label }: SingleOfferProps) {
  const isChosen = useIsChosen(product.id)
  const { price, code, saving } = useOffer(product)
  return (
    <article
      data-chosen={isChosen || undefined}
      className="mx-auto mb-8 grid max-w-5xl items-center gap-x-16 gap-y-8 rounded-lg data-chosen:ring-3 data-chosen:ring-gold md:grid-cols-[1.15fr_1fr]"
    >
      <div className="offer-stage">
        <ProductPicture {...product} />
      </div>
      <div>
        <div className="mb-2 flex flex-wrap items-center gap-x-4">
          <p className="text-sm font-semibold text-gold-text">{formatsTexts.names[product.format]}</p>
          {saving && <SavingBadge {...saving} />}
        </div>
        <h3 className="font-display text-3xl text-balance wrap-anywhere">{product.name}</h3>
        {product.description && (
          <p className="mt-3 text-pretty wrap-anywhere text-soft">{product.description}</p>
        )}
        <ProductPrice {...{ product, price, saving }} />
        <ProductLines product={product} />
        <BuyButton
          {...{ product, isChosen, code, price }}
          label={label ?? homeTexts.buy}
          look="primary"
          className="min-h-13 text-lg"
        />
        <FoldedMaker product={product} className="mt-4" />
      </div>
    </article>
  )
}
