import { siteTexts } from '#words/site.ts'
import { homeTexts } from '#words/home.ts'
import { fillParts } from '../../fill-parts.tsx'
import { BookOpen, Gift, Lifelong, ShieldCheck, Truck, Zap } from '../../components/icons.tsx'
import { Suspense, useEffect } from 'react'
import { Await, useRevalidator } from 'react-router'
import type { Product } from '#features/products/contract/products.ts'
import { useBook, useCurrency, useShippingRange } from '../../shop.ts'
import { buyLabels, bundleSaving, type Saving, truths } from '../../offers.ts'
import { LegalLinks } from '../../legal-links.tsx'
import { useFormatMoney } from '../../money.tsx'
import { Anchor } from '../../components/anchor.tsx'
import { Button } from '../../components/button.tsx'
import { Note } from '../../components/note.tsx'
import { Section } from '../../components/section.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { DiscountCode } from './discount-code.tsx'
import { ProductCard } from '../../product-card.tsx'
import { BuyButton, useIsWanted } from './buy-button.tsx'
import { discountFor, lowerPrice, useDiscount } from './discount.ts'
import { currentRefundTerms, refundConditions } from '#features/purchases/contract/refund-conditions.ts'

export type BookSalesProps = {
  products: Product[] | Promise<Product[] | undefined> | undefined
  asked: number
}

export function BookSales({ products, asked }: BookSalesProps) {
  const { rating } = useBook()
  return (
    <Section id="book-sales" title={homeTexts.getYourCopy} lead={rating && <Rating {...rating} />}>
      <Suspense key={asked} fallback={<Loading />}>
        {products ? (
          <Await resolve={products}>{(list) => (list ? <Products products={list} /> : <Missing />)}</Await>
        ) : (
          <AskAgain />
        )}
      </Suspense>
    </Section>
  )
}

/** Fewer than four stand in the middle. */
const columns: Record<number, string> = {
  1: 'mx-auto max-w-sm',
  2: 'mx-auto max-w-3xl sm:grid-cols-2',
  3: 'mx-auto max-w-5xl lg:grid-cols-3',
}

function Products({ products }: { products: Product[] }) {
  const formatMoney = useFormatMoney()
  if (products.length === 0) return <NothingForSale />
  const labels = buyLabels(products, formatMoney)
  return (
    <>
      <ul className={`grid gap-x-5 ${columns[products.length] ?? 'offers sm:grid-cols-2 xl:grid-cols-4'}`}>
        {products.map((product) => (
          <Offer
            key={product.id}
            product={product}
            label={labels.get(product.id)}
            saving={product.format === 'bundle' ? bundleSaving(product, products) : undefined}
          />
        ))}
      </ul>
      {products.some(({ price, is_available_soon }) => price > 0 && !is_available_soon) && (
        <DiscountCode products={products} />
      )}
      <Claims products={products} />
      <LegalLinks className="mt-6 text-center text-sm text-soft" />
    </>
  )
}

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

function AskAgain() {
  const { revalidate } = useRevalidator()
  useEffect(() => void revalidate(), [revalidate])
  return <Loading />
}

function Missing() {
  const { revalidate } = useRevalidator()
  return (
    <div className="flex min-h-96 flex-col items-center justify-center gap-4 text-center">
      <p className="text-soft">{homeTexts.productsMissing}</p>
      <Button look="outline" onClick={() => void revalidate()}>
        {siteTexts.tryAgain}
      </Button>
    </div>
  )
}

type OfferProps = {
  product: Product
  label: string | undefined
  saving: Saving | undefined
}

function Offer({ product, label, saving }: OfferProps) {
  const isWanted = useIsWanted(product.id)
  const currency = useCurrency()
  const discount = discountFor(product, useDiscount(), currency)
  const lowered = discount && lowerPrice(product.price, discount, currency)
  const price = lowered?.price ?? product.price
  return (
    <ProductCard
      product={product}
      price={price}
      saving={lowered ?? saving}
      isBestValue={saving !== undefined}
      isWanted={isWanted}
    >
      <BuyButton
        product={product}
        label={label ?? homeTexts.buy}
        look={product.format === 'bundle' ? 'primary' : 'outline'}
        isWanted={isWanted}
        code={discount?.code}
        price={price}
      />
    </ProductCard>
  )
}

const best = 5
const star = 'm12 2.6 2.9 5.9 6.5 1-4.7 4.5 1.1 6.5-5.8-3.1-5.8 3.1 1.1-6.5L2.6 9.5l6.5-1z'

function Rating({ stars, source }: { stars: number; source: string }) {
  return (
    <p className="flex flex-wrap items-center justify-center gap-x-3 gap-y-1">
      <svg viewBox={`0 0 ${best * 24} 24`} className="h-6 w-30" aria-hidden>
        <clipPath id="earned">
          <rect width={stars * 24} height={24} />
        </clipPath>
        <Stars className="fill-line" />
        <g clipPath="url(#earned)">
          <Stars className="fill-gold" />
        </g>
      </svg>
      <span>
        {fillParts(homeTexts.rating, { stars: <strong className="font-semibold">{stars}</strong>, best })}
        {source && <span className="text-soft"> · {source}</span>}
      </span>
    </p>
  )
}

function Stars({ className }: { className: string }) {
  return Array.from({ length: best }, (_, index) => (
    <path key={index} d={star} transform={`translate(${index * 24})`} className={className} />
  ))
}

const icons = [
  ['refund', ShieldCheck],
  ['ships', Truck],
  ['pdf', Zap],
  ['no_pdf', Zap],
  ['digital', Lifelong],
  ['bonus', Gift],
] as const

function Claims({ products }: { products: readonly Product[] }) {
  const { claims } = useBook()
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
          {refundConditions[currentRefundTerms]}
        </p>
      )}
    </>
  )
}
