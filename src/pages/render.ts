// Renders the site's pages with the bundled application, without HTTP in between.
import {
  createRequestHandler,
  RouterContextProvider,
  type RouterContext,
  type ServerBuild,
} from 'react-router'
import type { PublishedBook } from '#features/book/published-book.ts'
import type { SaleMode } from '#features/products/contract/sale-mode.ts'
import type { ShippingRange } from '#features/shipping/contract/shipping-price.ts'
import type { Product } from '#features/products/contract/products.ts'

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
  shownBook: RouterContext<PublishedBook['shown']>
  shownChapters: RouterContext<PublishedBook['chapters']>
  shownLegalPages: RouterContext<PublishedBook['legal']>
  shopFacts: RouterContext<ShopFacts>
}

export type PageData = { products: Product[] | undefined; book: PublishedBook }

/** Products are left undefined when they cannot be had: the page then asks for them itself. */
export type Render = (request: Request, data: PageData) => Promise<Response>

export type RenderOptions = {
  mode: 'development' | 'production'
  readFacts: (book: PublishedBook) => ShopFacts
}

export function createRender(build: ServerBuild, { mode, readFacts }: RenderOptions): Render {
  const handle = createRequestHandler(build, mode)
  const { shownProducts, shownBook, shownChapters, shownLegalPages, shopFacts } = build.entry
    .module as unknown as Entry
  return (request, { products, book }) => {
    const context = new RouterContextProvider()
    context.set(shownProducts, products)
    context.set(shownBook, book.shown)
    context.set(shownChapters, book.chapters)
    context.set(shownLegalPages, book.legal)
    context.set(shopFacts, readFacts(book))
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
