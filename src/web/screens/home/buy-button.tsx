import { homeTexts } from '#words/home.ts'
import { lazy, Suspense, useId, useRef, useState, useEffect, type RefObject } from 'react'
import { useFetcher, useLocation } from 'react-router'
import type { Product } from '#features/products/contract/products.ts'
import { isOnePrice } from '#features/shipping/contract/shipping-price.ts'
import { useBook, useShippingRange } from '../../shop.ts'
import { Button } from '../../components/button.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { AvailableSoon } from '../../product-card.tsx'
import type { BuyResponse } from './buy.ts'
import { useIsAlive } from '../../use-is-alive.ts'
import { wantedIn } from '../../wanted-product.ts'

const AskPlace = lazy(() => import('./ask-place.tsx'))
const BuyAgain = lazy(() => import('./buy-again.tsx'))
const ConsentDialog = lazy(() => import('./consent-dialog.tsx'))

type BuyButtonProps = {
  product: Product
  label: string
  look: 'primary' | 'outline'
  isWanted: boolean
  code: string | undefined
  price: number
}

export function BuyButton({ product, label, look, isWanted, code, price }: BuyButtonProps) {
  const noteId = useId()
  const button = useRef<HTMLButtonElement>(null)
  useLeadTo(button, isWanted)
  const fetcher = useFetcher<BuyResponse>()
  const isBusy = fetcher.state !== 'idle'
  const consent = useBook().legal.consent
  const range = useShippingRange()
  const said = useRef<Record<string, string>>({})
  function buy(more: Record<string, string>) {
    if (isBusy) return
    said.current = { ...said.current, ...more }
    const ships = product.ships ? { ships: isOnePrice(range) ? String(range.max) : '' } : undefined
    const asks = product.is_digital && consent ? { asks_consent: 'yes' } : undefined
    const terms = { product_id: product.id, ...(code && { code }) }
    const form = { intent: 'buy', ...terms, ...ships, ...asks, ...said.current }
    // At once, so that the second half of a double click finds the button busy.
    void fetcher.submit(form, { method: 'post', flushSync: true })
  }
  if (product.is_available_soon) return <AvailableSoon />
  if (product.is_sold_out)
    return (
      <Button look="outline" disabled className="w-full self-end">
        {homeTexts.soldOut}
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
        ref={button}
        look={look}
        className="w-full scroll-mb-24"
        aria-disabled={isBusy}
        aria-describedby={isWanted ? noteId : undefined}
        onClick={() => {
          if (!isBusy) said.current = {}
          buy({})
        }}
      >
        {isBusy && <Spinner />}
        {isBusy ? homeTexts.processing : <span className="line-clamp-3 wrap-anywhere">{label}</span>}
      </Button>
      <AskAgain answer={fetcher.data} name={product.name} onAgain={() => buy({ again: 'yes' })} />
      {consent && (
        <AskConsent
          answer={fetcher.data}
          product={product}
          consent={consent}
          onAgreed={() => buy({ consent })}
        />
      )}
      <AskWhere answer={fetcher.data} name={product.name} price={price} onSubmitPlace={buy} />
    </div>
  )
}

type AskAgainProps = { answer: BuyResponse | undefined; name: string; onAgain: () => void }

function AskAgain({ answer, name, onAgain }: AskAgainProps) {
  const [settled, settle] = useState<BuyResponse>()
  if (!answer?.isOwned || settled === answer) return null
  return (
    <Suspense>
      <BuyAgain
        name={name}
        onClose={() => settle(answer)}
        onAgain={() => {
          settle(answer)
          onAgain()
        }}
      />
    </Suspense>
  )
}

type AskConsentProps = {
  answer: BuyResponse | undefined
  product: Product
  consent: string
  onAgreed: () => void
}

function AskConsent({ answer, product, consent, onAgreed }: AskConsentProps) {
  const [settled, settle] = useState<BuyResponse>()
  if (!answer?.asksConsent || settled === answer) return null
  return (
    <Suspense>
      <ConsentDialog
        name={product.name}
        isBundle={product.ships}
        consent={consent}
        onClose={() => settle(answer)}
        onAgreed={() => {
          settle(answer)
          onAgreed()
        }}
      />
    </Suspense>
  )
}

type AskWhereProps = {
  answer: BuyResponse | undefined
  name: string
  price: number
  onSubmitPlace: (place: Record<string, string>) => void
}

function AskWhere({ answer, name, price, onSubmitPlace }: AskWhereProps) {
  const [settled, settle] = useState<BuyResponse>()
  const [told, setTold] = useState<Record<string, string>>()
  if (!answer?.asks || settled === answer) return null
  return (
    <Suspense>
      <AskPlace
        name={name}
        price={price}
        question={answer.asks}
        told={told}
        onClose={() => settle(answer)}
        onSubmitPlace={(place) => {
          setTold(place)
          settle(answer)
          onSubmitPlace(place)
        }}
      />
    </Suspense>
  )
}

export function useIsWanted(product_id: string): boolean {
  const { search } = useLocation()
  return useIsAlive() && wantedIn(`/${search}`) === product_id
}

function useLeadTo(button: RefObject<HTMLButtonElement | null>, isWanted: boolean): void {
  useEffect(() => {
    const { pathname, search, hash } = location
    if (!isWanted || !wantedIn(pathname + search)) return
    // Not by the router, which would ask for the products anew. A reload does not lead there again.
    history.replaceState(history.state, '', pathname + hash)
    button.current?.focus({ preventScroll: true })
    button.current?.scrollIntoView({ block: 'nearest' })
  }, [button, isWanted])
}
