// The products with their buttons and the way to enter a code; what is promised of every product, each only while it is true.
import { useEffect } from 'react'
import { formatsTexts } from '#words/buying.ts'
import { homeTexts } from '#words/home.ts'
import { siteTexts } from '#words/site.ts'
import type { Product } from '#contract/catalog/products.ts'
import { currentRefundTerms, refundConditions } from '#contract/orders/prices.ts'
import { Anchor, Button, Spinner } from '../../components/button.tsx'
import { BookOpen, Gift, Lifelong, ShieldCheck, Truck, Zap } from '../../components/icons.tsx'
import { Note } from '../../components/note.tsx'
import { FoldedNotice } from '../../eu-paper.tsx'
import { fillParts } from '../../fill-parts.tsx'
import { LegalLinks } from '../legal-links.tsx'
import { useFormatMoney } from '../../money.tsx'
import { buyLabels, bundleSaving, savingWithCode, truths } from '../../offers.ts'
import { takesCodes, useOffer } from '../price-line.tsx'
import { ProductCard, ProductLines, ProductPicture, ProductPrice, SavingBadge } from '../../product-card.tsx'
import { useBookFacts, useSendsMail, useShippingRange } from '../../shop.ts'
import { toast } from '../../toasts.tsx'
import { BuyButton, useIsWanted } from './buy-button.tsx'
import { DiscountPanel } from './discount-panel.tsx'
import { askForProducts, isAsking, useProducts } from './products.ts'

const icons = [
  ['refund', ShieldCheck],
  ['ships', Truck],
  ['pdf', Zap],
  ['no_pdf', Zap],
  ['digital', Lifelong],
  ['bonus', Gift],
] as const

function Claims({ products }: { products: readonly Product[] }) {
  const { claims } = useBookFacts()
  const isTrue = truths(products, useShippingRange())
  return (
    <>
      <ul className="mx-auto mt-6 flex max-w-5xl flex-wrap justify-center gap-x-9 gap-y-4 max-sm:w-fit max-sm:flex-col">
        {icons.map(
          ([name, Icon]) =>
            isTrue[name] &&
            claims[name] && (
              <li key={name} className="flex items-center gap-2.5">
                <Icon aria-hidden className="size-5 shrink-0 text-gold-text" />
                {claims[name]}
              </li>
            ),
        )}
      </ul>
      {claims.refund && (
        <p className="mx-auto mt-4 max-w-xl text-center text-sm text-pretty text-soft">
          {refundConditions(currentRefundTerms)}
        </p>
      )}
    </>
  )
}

// The only product of a shop: its picture beside what it is, costs and gives.

type SingleOfferProps = { product: Product; label: string | undefined }

function SingleOffer({ product, label }: SingleOfferProps) {
  const isWanted = useIsWanted(product.id)
  const { price, code, saving } = useOffer(product)
  return (
    <article
      data-wanted={isWanted || undefined}
      className="mx-auto mb-8 grid max-w-5xl items-center gap-x-16 gap-y-8 rounded-lg data-wanted:ring-3 data-wanted:ring-gold md:grid-cols-[1.15fr_1fr]"
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
          {...{ product, isWanted, code, price }}
          label={label ?? homeTexts.buy}
          look="primary"
          className="min-h-13 text-lg"
        />
      </div>
    </article>
  )
}

/** An island: the products with their buttons. */
export function Offers() {
  const products = useProducts()
  useLeftCheckout()
  if (products === 'asking') return <AskAgain />
  return products === 'missing' ? <Missing /> : <Products products={products} />
}

function useLeftCheckout(): void {
  useEffect(() => {
    const { pathname, search, hash } = location
    if (new URLSearchParams(search).get('checkout') !== 'canceled') return
    // A reload, or a way back, does not say it again.
    history.replaceState(history.state, '', pathname + hash)
    toast(homeTexts.paymentNotFinished)
  }, [])
}

/** Fewer than four stand in the middle. */
const columns: Record<number, string> = {
  1: 'mx-auto max-w-sm',
  2: 'mx-auto max-w-3xl sm:grid-cols-2',
  3: 'mx-auto max-w-5xl lg:grid-cols-3',
}

function Products({ products }: { products: Product[] }) {
  const formatMoney = useFormatMoney()
  const { is_sample } = useBookFacts()
  const sendsMail = useSendsMail()
  const [first] = products
  if (!first) return <NothingForSale />
  const labels = buyLabels(products, formatMoney)
  return (
    <>
      {products.length === 1 && !is_sample ? (
        <SingleOffer product={first} label={labels.get(first.id)} />
      ) : (
        <ul className={`grid gap-x-5 ${columns[products.length] ?? 'offers sm:grid-cols-2 xl:grid-cols-4'}`}>
          {products.map((product) => (
            <Offer key={product.id} product={product} label={labels.get(product.id)} products={products} />
          ))}
        </ul>
      )}
      {takesCodes(products) && <DiscountPanel products={products} />}
      {!is_sample && sendsMail && products.some(isGivable) && (
        <p className="mx-auto mt-6 max-w-xl text-center text-sm text-pretty text-soft">{homeTexts.asGift}</p>
      )}
      <Claims products={products} />
      <FoldedNotice products={products} />
      <LegalLinks className="mt-6 text-center text-sm text-soft" />
    </>
  )
}

const isGivable = ({ is_digital, ships, price, is_available_soon }: Product) =>
  is_digital && !ships && price > 0 && !is_available_soon

function NothingForSale() {
  return (
    <Note icon={BookOpen} title={homeTexts.notForSale}>
      <p>
        {fillParts(homeTexts.willBeBack, {
          contact: (
            <Anchor to="contact" className="text-ink underline underline-offset-4">
              {homeTexts.writeToAuthor}
            </Anchor>
          ),
        })}
      </p>
    </Note>
  )
}

function Loading() {
  useEffect(() => {
    const { scrollY: before } = window
    // Products that arrive late move what is below: a visitor who was led there, and has not scrolled since, is led
    // there again.
    return () => {
      if (scrollY === before) document.getElementById(location.hash.slice(1))?.scrollIntoView()
    }
  }, [])
  return (
    <p role="status" className="flex min-h-96 items-center justify-center gap-3 text-soft">
      <Spinner />
      {homeTexts.loadingProducts}
    </p>
  )
}

/** The page was made without them, or what it offers is outdated. */
function AskAgain() {
  useEffect(() => {
    if (!isAsking()) void askForProducts()
  }, [])
  return <Loading />
}

function Missing() {
  return (
    <div className="flex min-h-96 flex-col items-center justify-center gap-4 text-center">
      <p className="text-soft">{homeTexts.productsMissing}</p>
      <Button look="outline" onClick={() => void askForProducts()}>
        {siteTexts.tryAgain}
      </Button>
    </div>
  )
}

type OfferProps = {
  product: Product
  label: string | undefined
  products: readonly Product[]
}

function Offer({ product, label, products }: OfferProps) {
  const isWanted = useIsWanted(product.id)
  const { price, code, saving } = useOffer(product)
  return (
    <ProductCard
      product={product}
      price={price}
      saving={savingWithCode(product, products, { price, saving })}
      isBestValue={bundleSaving(product, products) !== undefined}
      isWanted={isWanted}
    >
      <BuyButton
        product={product}
        label={label ?? homeTexts.buy}
        look={product.format === 'bundle' ? 'primary' : 'outline'}
        isWanted={isWanted}
        code={code}
        price={price}
      />
    </ProductCard>
  )
}
