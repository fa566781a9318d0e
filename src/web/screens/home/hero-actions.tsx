// What the hero offers: the only product itself, or the way to all of them; and what it costs.
import { homeTexts } from '#words/home.ts'
import { Suspense } from 'react'
import { Await } from 'react-router'
import type { ShownBook } from '#contract/book/shown-book.ts'
import { Anchor } from '../../components/anchor.tsx'
import { buttonClass } from '../../components/button.tsx'
import { useBook } from '../../shop.ts'
import type { BookSalesProps } from './book-sales.tsx'
import { BuyNow } from './buy-now.tsx'
import { OfferLine } from '../../price-line.tsx'

const size = 'min-h-13 text-lg sm:px-7'

export function HeroActions({ products, asked }: BookSalesProps) {
  const book = useBook()
  return (
    <div id="hero-actions" className="mt-9">
      <div className="flex flex-wrap gap-3 max-lg:justify-center">
        <div className="grid max-sm:grow">
          <Suspense key={asked} fallback={<BuyNow products={[]} className={size} />}>
            <Await resolve={products}>{(list) => <BuyNow products={list ?? []} className={size} />}</Await>
          </Suspense>
        </div>
        <Anchor to={findLearnMore(book)} className={buttonClass('outline', `${size} max-sm:grow`)}>
          {homeTexts.learnMore}
        </Anchor>
      </div>
      {!book.is_sample && (
        <p className="mt-4 min-h-6 text-soft">
          <Suspense key={asked}>
            <Await resolve={products}>{(list) => <OfferLine products={list ?? []} />}</Await>
          </Suspense>
        </p>
      )}
    </div>
  )
}

/** The preview; where that is hidden, the first section. */
function findLearnMore({ sections }: ShownBook): string {
  const shown = sections.filter(({ is_shown }) => is_shown).map(({ name }) => name)
  const target = shown.find((name) => name === 'preview') ?? shown[0]
  return target === undefined || target === 'purchase' ? 'book-sales' : target
}
