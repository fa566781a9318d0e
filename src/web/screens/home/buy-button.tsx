// The only product's button, else the way to the products.
import { cardsTexts } from '#words/cards.ts'
import { homeTexts } from '#words/home.ts'
import { lazy, Suspense, useEffect, useEffectEvent, useId, useRef, useState, type RefObject } from 'react'
import { useFetcher, useLocation } from 'react-router'
import type { Product } from '#contract/catalog/products.ts'
import { isOnePrice } from '#contract/orders/prices.ts'
import { isPreorder, onlyOffer, shortPrice } from '../../offers.ts'
import { useBook, useHasGuestCheckout, useShippingRange } from '../../shop.ts'
import { Button, buttonClass } from '../../components/button.tsx'
import { AvailableSoon } from '../../product-card.tsx'
import type { BuyResponse } from './buy.ts'
import { toObject, useIsAlive } from '../../page-state.ts'
import { wantedIn } from '../../wanted-product.ts'
import { fill } from '#words/fill.ts'
import { Anchor } from '../../components/anchor.tsx'
import { useFormatShortMoney } from '../../money.tsx'
import { useOffer } from '../../price-line.tsx'

const BuyQuestion = lazy(() => import('./buy-question.tsx'))

type BuyButtonProps = {
  product: Product
  label: string
  look: 'primary' | 'outline'
  isWanted: boolean
  code: string | undefined
  price: number
  className?: string
}

export function BuyButton(props: BuyButtonProps) {
  const { product, label, look, isWanted, code, price, className = '' } = props
  const noteId = useId()
  const button = useRef<HTMLButtonElement>(null)
  const fetcher = useFetcher<BuyResponse>()
  const isBusy = fetcher.state !== 'idle'
  const consent = useBook().legal.consent
  const range = useShippingRange()
  const hasGuestCheckout = useHasGuestCheckout() && price > 0
  const [settled, setSettled] = useState<BuyResponse>()
  const [place, setPlace] = useState<Record<string, string>>()
  const answered = useRef<Record<string, string>>({})
  function buy(more: Record<string, string>) {
    if (isBusy) return
    answered.current = { ...answered.current, ...more }
    const ships = product.ships ? { ships: isOnePrice(range) ? String(range.max) : '' } : undefined
    const asks = product.is_digital && consent && !isPreorder(product) ? { asks_consent: 'yes' } : undefined
    const terms = { product_id: product.id, ...(code && { code }) }
    const guest = hasGuestCheckout ? { guest: 'yes' } : undefined
    const form = { ...terms, ...ships, ...asks, ...guest, ...answered.current }
    // At once, so that the second half of a double click finds the button busy.
    void fetcher.submit(form, { method: 'post', flushSync: true })
  }
  useResumedPurchase(button, isWanted, () => buy({}))
  function answer(more: Record<string, string>) {
    setSettled(fetcher.data)
    buy(more)
  }
  if (product.is_available_soon) return <AvailableSoon />
  if (product.is_sold_out)
    return (
      <Button look="outline" disabled className="w-full self-end">
        {cardsTexts.soldOut}
      </Button>
    )
  // Not `disabled`, which would take the keyboard's place on the page away.
  return (
    <div className="self-end">
      {isWanted && (
        <p id={noteId} className="mb-3 text-center text-sm text-balance font-semibold text-gold-text">
          {homeTexts.chosen}
        </p>
      )}
      <Button
        busy={isBusy}
        ref={button}
        look={look}
        className={`w-full scroll-mb-24 ${className}`}
        aria-disabled={isBusy}
        aria-describedby={isWanted ? noteId : undefined}
        onClick={() => {
          if (!isBusy) answered.current = {}
          buy({})
        }}
      >
        {isBusy ? homeTexts.processing : <span className="line-clamp-3 wrap-anywhere">{label}</span>}
      </Button>
      {fetcher.data && fetcher.data !== settled && isQuestion(fetcher.data) && (
        <Suspense>
          <BuyQuestion
            {...{ product, price, consent, place, code }}
            response={fetcher.data}
            onClose={() => setSettled(fetcher.data)}
            onAnswer={answer}
            onPlace={(next) => {
              setPlace(next)
              answer(next)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}

/** Else nothing is loaded: a purchase that failed without a connection could not load it. */
function isQuestion({ isOwned, asks, asksConsent, asksEmail }: BuyResponse): boolean {
  return isOwned || asks !== undefined || asksConsent === true || asksEmail === true
}

export function useIsWanted(product_id: string): boolean {
  const { search } = useLocation()
  return useIsAlive() && wantedIn(`/${search}`) === product_id
}

/** What was bought on the page before (only this site's own navigation can say so) begins here by itself. */
function useResumedPurchase(
  button: RefObject<HTMLButtonElement | null>,
  isWanted: boolean,
  buy: () => void,
): void {
  const { state } = useLocation()
  const begin = useEffectEvent(() => {
    if (toObject(state)['buys'] === true) buy()
  })
  useEffect(() => {
    const { pathname, search, hash } = location
    if (!isWanted || !wantedIn(pathname + search)) return
    // Not by the router, which would ask for the products anew. A reload does not lead there again.
    history.replaceState({ ...toObject(history.state), usr: null }, '', pathname + hash)
    button.current?.focus({ preventScroll: true })
    button.current?.scrollIntoView({ block: 'nearest' })
    begin()
  }, [button, isWanted])
}

export function BuyNow({ products, className }: { products: readonly Product[]; className: string }) {
  const { is_sample } = useBook()
  const product = is_sample ? undefined : onlyOffer(products)
  if (product) return <BuyOnly product={product} className={className} />
  return (
    <Anchor to="book-sales" className={buttonClass('primary', className)}>
      {homeTexts.getTheBook}
    </Anchor>
  )
}

function BuyOnly({ product, className }: { product: Product; className: string }) {
  const { price, code } = useOffer(product)
  const formatShort = useFormatShortMoney()
  const label =
    price === 0 ? cardsTexts.getFree : fill(cardsTexts.buyFor, { price: shortPrice(price, formatShort) })
  return <BuyButton {...{ product, price, code, label, className }} look="primary" isWanted={false} />
}
