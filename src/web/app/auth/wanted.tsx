// Its room is reserved before the first paint, so that nothing moves.
import { authTexts } from '#words/auth.ts'
import { cardsTexts } from '#words/cards.ts'
import { ShoppingBag } from '../../components/further-icons.tsx'
import { Suspense, useLayoutEffect } from 'react'
import { Await, useLocation } from 'react-router'
import { formatsTexts } from '#words/formats.ts'
import type { Product } from '#contract/catalog/products.ts'
import { useBook } from '../../shop.ts'
import { Money } from '../../money.tsx'
import { nextPath } from '../next-path.ts'
import { useIsAlive } from '../../use-page.ts'
import { wantedIn } from '#contract/wanted-product.ts'

type Products = Product[] | undefined

export function WantedPart({ products }: { products: Products | Promise<Products> }) {
  const { search } = useLocation()
  const isAlive = useIsAlive()
  const id = isAlive ? wantedIn(nextPath(search)) : undefined
  useLayoutEffect(() => {
    if (!isAlive) return undefined
    reserveRoom(id !== undefined)
    return () => reserveRoom(false)
  }, [isAlive, id])
  return (
    <div className="mb-7 hidden min-h-27 wants:block">
      <Suspense>
        <Await resolve={products}>
          {(list) => id && <WantedProduct product={list?.find((each) => each.id === id)} />}
        </Await>
      </Suspense>
    </div>
  )
}

function WantedProduct({ product }: { product: Product | undefined }) {
  const { is_sample } = useBook()
  useLayoutEffect(() => {
    if (!product) reserveRoom(false)
  }, [product])
  if (!product) return null
  return (
    <section
      aria-label={authTexts.chosenProduct}
      className="flex min-h-27 items-start gap-3.5 rounded-md border border-gold/60 bg-gold/10 px-4 py-3.5"
    >
      <ShoppingBag aria-hidden className="mt-0.5 size-5 shrink-0 text-gold-text" />
      <p className="min-w-0 text-sm text-pretty text-soft">
        <strong className="flex text-base font-semibold text-ink tabular-nums">
          <span className="truncate">{is_sample ? formatsTexts.names[product.format] : product.name}</span>
          <span className="shrink-0 whitespace-pre">
            {' · '}
            {product.price === 0 ? <span>{cardsTexts.free}</span> : <Money amount={product.price} />}
          </span>
        </strong>
        {authTexts.comeBack}
      </p>
    </section>
  )
}

function reserveRoom(isNeeded: boolean): void {
  document.documentElement.toggleAttribute('data-wants', isNeeded)
}
