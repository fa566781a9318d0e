// The purchase section: every format side by side.
import { Suspense } from 'react'
import { Await, useRevalidator } from 'react-router'
import { book } from '#content/book.ts'
import type { Product } from '#contract/products.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/section.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { Claims } from './claims.tsx'
import { bundleSaving } from './offers.ts'
import { ProductCard } from './product-card.tsx'
import { Rating } from './rating.tsx'

type BookSalesProps = { products: Product[] | Promise<Product[] | undefined> | undefined }

export function BookSales({ products }: BookSalesProps) {
  return (
    <Section
      id="book-sales"
      title="Get Your Copy Today"
      lead={book.rating !== undefined && <Rating value={book.rating} />}
    >
      <Suspense fallback={<Loading />}>
        <Await resolve={products}>{(list) => (list ? <Products products={list} /> : <Missing />)}</Await>
      </Suspense>
      <Claims />
    </Section>
  )
}

function Products({ products }: { products: Product[] }) {
  return (
    <ul className="grid gap-x-5 gap-y-8 sm:grid-cols-2 xl:grid-cols-4">
      {products.map((product) => (
        <ProductCard
          key={product.id}
          product={product}
          saving={product.format === 'bundle' ? bundleSaving(product, products) : undefined}
        />
      ))}
    </ul>
  )
}

function Loading() {
  return (
    <p role="status" className="flex min-h-96 items-center justify-center gap-3 text-soft">
      <Spinner />
      Loading products...
    </p>
  )
}

function Missing() {
  const { revalidate } = useRevalidator()
  return (
    <div className="flex min-h-96 flex-col items-center justify-center gap-4 text-center">
      <p className="text-soft">The formats and prices could not be loaded.</p>
      <Button look="outline" onClick={() => void revalidate()}>
        Try again
      </Button>
    </div>
  )
}
