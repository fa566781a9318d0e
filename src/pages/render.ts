// Renders the site's pages with the bundled application, without HTTP in between.
import {
  createRequestHandler,
  RouterContextProvider,
  type RouterContext,
  type ServerBuild,
} from 'react-router'
import { pathToFileURL } from 'node:url'
import type { BookDocument } from '#features/book/contract/book.ts'
import { showWholeBook, type WholeBook } from '#features/book/show-book.ts'
import type { SaleMode } from '#features/products/contract/sale-mode.ts'
import type { ShippingRange } from '#features/shipping/contract/shipping-price.ts'
import type { Product } from '#features/products/contract/products.ts'
import { memoizeLast } from '#platform/cached.ts'
import { ownFile } from '#platform/own-file.ts'

/** What every page may have to say of the shop. */
export type ShopFacts = {
  saleMode: SaleMode
  /** Payments run on test keys. */
  isTestMode: boolean
  /** Else mails are kept in the outbox. */
  sendsMail: boolean
  /** Of all prices: ISO code in lower case. */
  currency: string
  /** What sending books on paper costs their buyers. */
  shipping: ShippingRange
}

/** What the application's entry module offers: the keys under which its loaders find what the server knows. */
type Entry = {
  shownProducts: RouterContext<Product[] | undefined>
  shownBook: RouterContext<WholeBook['shown']>
  shownChapters: RouterContext<WholeBook['chapters']>
  shownLegalPages: RouterContext<WholeBook['legal']>
  shopFacts: RouterContext<ShopFacts>
}

/** Products are left undefined when they cannot be had: the page then asks for them itself. */
export type PageData = { products: Product[] | undefined; document: BookDocument; facts: ShopFacts }

type Render = (request: Request, data: PageData) => Promise<Response>

export async function loadBuild(): Promise<ServerBuild> {
  return import(pathToFileURL(ownFile('#build/server/pages.js')).href)
}

/** Of the pages that are rendered one after the other, most show the same book. */
const readWhole = memoizeLast(async (document: BookDocument) => showWholeBook(document))

export function createRender(build: ServerBuild, mode: 'development' | 'production'): Render {
  const handle = createRequestHandler(build, mode)
  const { shownProducts, shownBook, shownChapters, shownLegalPages, shopFacts } = build.entry
    .module as unknown as Entry
  return async (request, { products, document, facts }) => {
    const book = await readWhole(document)
    const context = new RouterContextProvider()
    context.set(shownProducts, products)
    context.set(shownBook, book.shown)
    context.set(shownChapters, book.chapters)
    context.set(shownLegalPages, book.legal)
    context.set(shopFacts, facts)
    return handle(request, context)
  }
}

/** Of all pages, with `:id` standing for anything. Every other path gets the one page for unknown paths. */
export function pagePaths({ routes }: Pick<ServerBuild, 'routes'>): string[] {
  const all = Object.values(routes).filter((route) => route !== undefined)
  const branchTo = (id: string | undefined): typeof all => {
    const route = all.find((each) => each.id === id)
    return route ? [...branchTo(route.parentId), route] : []
  }
  const pages = all.filter(({ index, path }) => index || (path && !path.includes('*')))
  const paths = pages.map(({ id }) => branchTo(id).flatMap(({ path }) => path || []))
  return [...new Set(paths.map((segments) => `/${segments.join('/')}`))]
}
