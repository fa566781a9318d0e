import { siteTexts } from '#words/site.ts'
import { homeTexts } from '#words/home.ts'
import { fillParts } from '../../fill-parts.tsx'
import { BookOpen } from '../../components/icons.tsx'
import { Suspense, useEffect } from 'react'
import { Await, useRevalidator } from 'react-router'
import type { Product } from '#contract/catalog/products.ts'
import { useBook, useSendsMail } from '../../shop.ts'
import { buyLabels, bundleSaving, savingWithCode } from '../../offers.ts'
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
import { Claims } from './claims.tsx'
import { Rating } from './rating.tsx'
import { SingleOffer } from './single-offer.tsx'
import { useOffer } from '../../use-offer.ts'

export type BookSalesProps = {
  products: Product[] | Promise<Product[] | undefined> | undefined
  asked: number
}

export function BookSales({ products, asked }: BookSalesProps) {
  const { rating } = useBook()
  return (
    <Section
      id="book-sales"
      title={homeTexts.getYourCopy}
      className="py-20 sm:py-28"
      lead={
        rating && (
          <div className="flex justify-center">
            <Rating {...rating} />
          </div>
        )
      }
    >
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
  const { is_sample } = useBook()
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
      {products.some(({ price, is_available_soon }) => price > 0 && !is_available_soon) && (
        <DiscountCode products={products} />
      )}
      {!is_sample && sendsMail && products.some(isGivable) && (
        <p className="mx-auto mt-6 max-w-xl text-center text-sm text-pretty text-soft">{homeTexts.asGift}</p>
      )}
      <Claims products={products} />
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
  products: readonly Product[]
}

function Offer({ product, label, products }: OfferProps) {
  const isWanted = useIsWanted(product.id)
  const { price, code, lowered } = useOffer(product)
  return (
    <ProductCard
      product={product}
      price={price}
      saving={savingWithCode(product, products, lowered)}
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
