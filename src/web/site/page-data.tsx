// The data that a page of the site and its islands are made of: islands read it from the page.
import { createContext, type ReactNode } from 'react'
import type { Product } from '#contract/catalog/products.ts'
import type { FormAnswer } from '#pages/page-answer.ts'
import { FormAnswerContext } from '../forms/form.ts'
import { ShopContext, type BookFacts, type Shop } from '../shop.ts'

export type IslandData = {
  shop: Shop
  /** Undefined where the page was made without them. */
  products: Product[] | undefined
  answer?: FormAnswer | undefined
}

export const ProductsContext = createContext<Product[] | undefined>(undefined)

type WithDataProps = { data: IslandData; children: ReactNode }

export function WithData({ data: { shop, products, answer }, children }: WithDataProps) {
  return (
    <ShopContext value={shop}>
      <ProductsContext value={products}>
        <FormAnswerContext value={answer}>{children}</FormAnswerContext>
      </ProductsContext>
    </ShopContext>
  )
}

/** The fields of `BookFacts` and no others. */
export function bookFacts(book: BookFacts): BookFacts {
  const { title, is_sample, cover, drawn_cover, claims, legal, language } = book
  return { title, is_sample, cover, drawn_cover, claims, legal, language }
}

const id = 'data'

export function DataScript({ data }: { data: IslandData }) {
  // Text that ends the element, or opens another one, stays text.
  const json = JSON.stringify(data).replaceAll('<', String.raw`\u003c`)
  return <script id={id} type="application/json" dangerouslySetInnerHTML={{ __html: json }} />
}

export function readIslandData(): IslandData {
  return JSON.parse(document.getElementById(id)?.textContent ?? '')
}
