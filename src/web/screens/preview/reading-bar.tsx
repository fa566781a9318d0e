// Where in the preview one is; and, but for the sample, the way to the book.
import { cardsTexts } from '#words/cards.ts'
import { fill } from '#words/fill.ts'
import { previewTexts } from '#words/preview.ts'
import { Suspense } from 'react'
import { Await } from 'react-router'
import type { Product } from '#contract/catalog/products.ts'
import { BottomBar } from '../../components/bottom-bar.tsx'
import { ButtonLink } from '../../components/button.tsx'
import { useFormatShortMoney } from '../../money.tsx'
import { onlyOffer, shortPrice } from '../../offers.ts'
import { LowestPrice } from '../../price-line.tsx'
import { useBook } from '../../shop.ts'
import { useIsOutOfView } from '../../use-is-out-of-view.ts'
import { useOffer } from '../../use-offer.ts'
import { wantedPath } from '../../wanted-product.ts'
import { useReadingPlace } from './use-reading-place.ts'

type Products = Product[] | undefined

type ReadingBarProps = { titles: readonly string[]; products: Products | Promise<Products> }

export function ReadingBar({ titles, products }: ReadingBarProps) {
  const { is_sample } = useBook()
  const isReading = useIsOutOfView('#next-steps, footer')
  const { chapter, share } = useReadingPlace()
  if (!isReading) return null
  return (
    <BottomBar label={previewTexts.place} className="justify-center">
      <div
        className="absolute inset-x-0 -top-px h-0.5 origin-left bg-gold rtl:origin-right"
        style={{ scale: `${share} 1` }}
      />
      <div className="flex w-full max-w-[44rem] items-center gap-4 sm:px-8">
        <p className="min-w-0 grow">
          <span className="block truncate font-display text-lg leading-snug">{titles[chapter]}</span>
          <span className="block truncate text-sm text-soft tabular-nums">
            {fill(previewTexts.read, { percent: Math.round(share * 100) })}
            {!is_sample && (
              <Suspense>
                <Await resolve={products}>{(list) => <PriceOfSeveral products={list ?? []} />}</Await>
              </Suspense>
            )}
          </span>
        </p>
        {!is_sample && (
          <Suspense>
            <Await resolve={products}>{(list) => <WayToBook products={list ?? []} />}</Await>
          </Suspense>
        )}
      </div>
    </BottomBar>
  )
}

function PriceOfSeveral({ products }: { products: readonly Product[] }) {
  if (products.length === 0 || onlyOffer(products)) return null
  return (
    <>
      {' · '}
      <LowestPrice products={products} />
    </>
  )
}

function WayToBook({ products }: { products: readonly Product[] }) {
  const product = onlyOffer(products)
  if (product) return <WayToProduct product={product} />
  return (
    <ButtonLink to="/#book-sales" className="shrink-0">
      {previewTexts.getTheBook}
    </ButtonLink>
  )
}

/** Its purchase begins where it stands. */
function WayToProduct({ product }: { product: Product }) {
  const { price } = useOffer(product)
  const formatShort = useFormatShortMoney()
  return (
    <ButtonLink to={wantedPath(product.id)} state={{ buys: true }} className="shrink-0">
      {price === 0 ? cardsTexts.getFree : fill(cardsTexts.buyFor, { price: shortPrice(price, formatShort) })}
    </ButtonLink>
  )
}
