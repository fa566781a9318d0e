// The only product's button, else the way to the products.
import { cardsTexts } from '#words/buying.ts'
import { homeTexts } from '#words/home.ts'
import { siteTexts } from '#words/site.ts'
import { lazy, Suspense, useEffect, useEffectEvent, useId, useRef, useState, type RefObject } from 'react'
import { flushSync } from 'react-dom'
import type { Product } from '#contract/catalog/products.ts'
import { isOnePrice } from '#contract/orders/prices.ts'
import { buyPath } from '#contract/paths.ts'
import { chosenIn } from '#contract/chosen-product.ts'
import { Anchor, Button, buttonClass, ButtonLink } from '../../components/button.tsx'
import { failure } from '../../notices/send.ts'
import { useFormatShortMoney } from '../../format/money.tsx'
import { isPreorder } from '#contract/catalog/preorder.ts'
import { onlyOffer, priceLabel } from '../../product/offers.ts'
import { useOffer } from '../discount/price-line.tsx'
import { AvailableSoon } from '../../product/product-card.tsx'
import { useSeller } from '../../product/seller-line.tsx'
import {
  useBookFacts,
  useHasGuestCheckout,
  useIsAwaited,
  useIsForSale,
  useShippingRange,
} from '../../shop.ts'
import { toast } from '../../notices/toasts.tsx'
import { useIsAlive } from '../../page/use-page.ts'
import { buy, type Answers, type Order, type Place, type Question } from '../buy/buy.ts'
import { askForProducts } from './products.ts'

const loadQuestion = () => import('../buy/buy-question.tsx')
const BuyQuestion = lazy(loadQuestion)

type BuyButtonProps = {
  product: Product
  label: string
  look: 'primary' | 'outline'
  isChosen: boolean
  code: string | undefined
  price: number
  className?: string
}

/** Its form leads to the page of the purchase where no script takes the press. */
export function BuyButton(props: BuyButtonProps) {
  const { product, label, look, isChosen, code, price, className = '' } = props
  const noteId = useId()
  const button = useRef<HTMLButtonElement>(null)
  const order = useOrder(product, code, price)
  const { isBusy, question, place, letters, press, answer, close } = useBuying(order)
  useResumedPurchase(button, product.id, isChosen, press)
  if (product.is_available_soon) return <AvailableSoon id={product.id} look={look} />
  if (product.is_sold_out)
    return (
      <Button look="outline" disabled className="w-full self-end">
        {cardsTexts.soldOut}
      </Button>
    )
  // The button is not `disabled`, which would take the keyboard's place on the page away.
  return (
    <div className="self-end">
      {isChosen && (
        <p id={noteId} className="mb-3 text-center text-sm text-balance font-semibold text-gold-text">
          {homeTexts.chosen}
        </p>
      )}
      <form
        method="post"
        action={buyPath(product.id)}
        data-session=""
        data-at-once={order.isForGuests ? undefined : ''}
        onSubmit={(event) => {
          event.preventDefault()
          press()
        }}
      >
        {code && <input type="hidden" name="code" value={code} />}
        <Button
          type="submit"
          busy={isBusy}
          ref={button}
          look={look}
          className={`w-full scroll-mb-24 ${className}`}
          aria-disabled={isBusy}
          aria-describedby={isChosen ? noteId : undefined}
          data-busy={homeTexts.processing}
        >
          {isBusy ? homeTexts.processing : <span className="line-clamp-3 wrap-anywhere">{label}</span>}
        </Button>
      </form>
      {question && (
        <Suspense>
          <BuyQuestion
            {...{ product, price, code, question, place, letters }}
            asksLetters={!order.asksConsent}
            onClose={close}
            onAnswer={answer}
          />
        </Suspense>
      )}
    </div>
  )
}

function useOrder(product: Product, code: string | undefined, price: number): Order {
  const { consent } = useBookFacts().legal
  const range = useShippingRange()
  const seller = useSeller({ product, price })
  const isForGuests = useHasGuestCheckout() && price > 0
  const seen = isOnePrice(range) ? range.max : null
  return {
    product_id: product.id,
    code,
    isForGuests,
    seller,
    asksConsent: product.is_digital && consent !== null && !isPreorder(product),
    seenShipping: product.ships ? seen : undefined,
  }
}

function useBuying(order: Order) {
  const isSending = useRef(false)
  const answers = useRef<Answers>({})
  const [isBusy, setIsBusy] = useState(false)
  const [question, setQuestion] = useState<Question>()
  const [place, setPlace] = useState<Place>()
  const [letters, setLetters] = useState<string>()

  async function send(): Promise<void> {
    if (isSending.current) return
    isSending.current = true
    // The state changes at once, so that the second half of a double click finds the button busy.
    flushSync(() => {
      setIsBusy(true)
      setQuestion(undefined)
    })
    try {
      const outcome = await buy(order, answers.current)
      // The button is busy until the dialog is there.
      if (outcome.question) await loadQuestion()
      setQuestion(outcome.question)
      if (outcome.isOutdated) void askForProducts()
    } catch (error) {
      toast(failure(homeTexts.purchaseFailed, error, homeTexts.loadAgain))
    }
    isSending.current = false
    setIsBusy(false)
  }

  return {
    isBusy,
    question,
    place,
    letters,
    press: () => {
      if (isSending.current) return
      answers.current = {}
      setLetters(undefined)
      void send()
    },
    answer: (more: Answers) => {
      answers.current = { ...answers.current, ...more }
      if (more.place) setPlace(more.place)
      setLetters(answers.current.letters)
      void send()
    },
    close: () => setQuestion(undefined),
  }
}

export function useIsChosen(product_id: string): boolean {
  // Read once: the address is cleaned afterwards.
  const [chosen] = useState(() =>
    'document' in globalThis ? chosenIn(location.pathname + location.search) : undefined,
  )
  return useIsAlive() && chosen === product_id
}

/** A page takes less, also on a slow line. */
const resumedMs = 30_000

/**
 * The purchase of the page before begins here by itself: only our own page can say so, an address cannot (loader.ts).
 */
function useResumedPurchase(
  button: RefObject<HTMLButtonElement | null>,
  product_id: string,
  isChosen: boolean,
  press: () => void,
): void {
  const begin = useEffectEvent(() => {
    const [bought, at] = sessionStorage.getItem('buys')?.split(' ') ?? []
    sessionStorage.removeItem('buys')
    if (bought === product_id && Date.now() - Number(at) < resumedMs) press()
  })
  useEffect(() => {
    const { pathname, search, hash } = location
    if (!isChosen || !chosenIn(pathname + search)) return
    // A reload does not lead there again.
    history.replaceState(history.state, '', pathname + hash)
    button.current?.focus({ preventScroll: true })
    button.current?.scrollIntoView({ block: 'nearest' })
    begin()
  }, [button, isChosen])
}

export const useWayLabel = () => (useIsForSale() ? homeTexts.getTheBook : siteTexts.formatsAndPrices)

export function BuyNow({ products, className }: { products: readonly Product[]; className: string }) {
  const { is_sample } = useBookFacts()
  const isAwaited = useIsAwaited()
  const label = useWayLabel()
  const product = is_sample ? undefined : onlyOffer(products)
  if (product) return <BuyOnly product={product} className={className} />
  const [first] = products
  if (first && isAwaited)
    return (
      <ButtonLink to={`/tell-me/${first.id}`} className={className}>
        {cardsTexts.tellMe}
      </ButtonLink>
    )
  return (
    <Anchor to="book-sales" className={buttonClass('primary', className)}>
      {label}
    </Anchor>
  )
}

function BuyOnly({ product, className }: { product: Product; className: string }) {
  const { price, code } = useOffer(product)
  const formatShort = useFormatShortMoney()
  const label = priceLabel(product, price, formatShort)
  return <BuyButton {...{ product, price, code, label, className }} look="primary" isChosen={false} />
}
