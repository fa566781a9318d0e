import { BookOpen } from '../../components/icons.tsx'
import { Suspense, useEffect } from 'react'
import { Await, useRevalidator } from 'react-router'
import type { Product } from '#features/products/contract/products.ts'
import { useBook } from '../../book.ts'
import { buyLabels } from '../../card-words.ts'
import { LegalLinks } from '../../legal-links.tsx'
import { useFormatMoney } from '../../money.tsx'
import { bundleSaving } from '../../offers.ts'
import { Anchor } from '../../components/anchor.tsx'
import { Button } from '../../components/button.tsx'
import { Note } from '../../components/note.tsx'
import { Section } from '../../components/section.tsx'
import { Spinner } from '../../components/spinner.tsx'
import { Claims } from './claims.tsx'
import { DiscountCode } from './discount-code.tsx'
import { Offer } from './offer.tsx'
import { Rating } from './rating.tsx'

export type BookSalesProps = {
  products: Product[] | Promise<Product[] | undefined> | undefined
  asked: number
}

export function BookSales({ products, asked }: BookSalesProps) {
  const { rating } = useBook()
  return (
    <Section id="book-sales" title="Get Your Copy Today" lead={rating && <Rating {...rating} />}>
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
    <Note icon={BookOpen} title="The book is not for sale at the moment">
      <p>
        It will be back.{' '}
        <Anchor to="contact" className="text-ink underline underline-offset-4">
          Write to the author
        </Anchor>{' '}
        if you would like to hear when.
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
      Loading products...
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
      <p className="text-soft">The formats and their prices could not be loaded.</p>
      <Button look="outline" onClick={() => void revalidate()}>
        Try again
      </Button>
    </div>
  )
}
