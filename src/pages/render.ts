import {
  createRequestHandler,
  RouterContextProvider,
  type RouterContext,
  type ServerBuild,
} from 'react-router'
import { pathToFileURL } from 'node:url'
import type { BookDocument } from '#contract/book/book.ts'
import { showWholeBook, type WholeBook } from '#domains/book/show-book.ts'
import type { SaleMode } from '#contract/catalog/sale-mode.ts'
import type { ShippingRange } from '#contract/orders/prices.ts'
import type { Product } from '#contract/catalog/products.ts'
import { isAdminPath } from '#contract/admin-path.ts'
import { memoizeLast } from '#platform/cached.ts'
import { ownFile } from '#platform/own-file.ts'
import { withTexts } from '#words/with-texts.ts'
import { pageWordingOf } from '#words/wording.ts'

export type ShopFacts = {
  saleMode: SaleMode
  hasGuestCheckout: boolean
  hasWithdrawal: boolean
  isTestMode: boolean
  sendsMail: boolean
  currency: string
  shipping: ShippingRange
}

type Entry = {
  shownProducts: RouterContext<Product[] | undefined>
  shownBook: RouterContext<WholeBook['shown']>
  shownChapters: RouterContext<WholeBook['chapters']>
  shownLegalPages: RouterContext<WholeBook['legal']>
  shopFacts: RouterContext<ShopFacts>
  withTexts: typeof withTexts
}

export type PageData = { products: Product[] | undefined; document: BookDocument; facts: ShopFacts }

type Render = (request: Request, data: PageData) => Promise<Response>

export async function loadBuild(): Promise<ServerBuild> {
  return import(pathToFileURL(ownFile('#build/server/pages.js')).href)
}

type Whole = { document: BookDocument } & Pick<ShopFacts, 'hasWithdrawal'>

const readWhole = memoizeLast(async ({ document, ...facts }: Whole) => showWholeBook(document, facts))

export function createRender(build: ServerBuild, mode: 'development' | 'production'): Render {
  const handle = createRequestHandler(build, mode)
  // While the shop is developed, the pages have their texts in modules of their own.
  const pages = build.entry.module as unknown as Entry
  const { shownProducts, shownBook, shownChapters, shownLegalPages, shopFacts } = pages
  return async (request, { products, document, facts }) => {
    const wording = pageWordingOf(document)
    const isAdmin = isAdminPath(new URL(request.url).pathname)
    // Kept for other pages, so never with the words of the admin area.
    const book = await withTexts(wording, () => readWhole({ document, hasWithdrawal: facts.hasWithdrawal }))
    const context = new RouterContextProvider()
    context.set(shownProducts, products)
    context.set(shownBook, book.shown)
    context.set(shownChapters, book.chapters)
    context.set(shownLegalPages, book.legal)
    context.set(shopFacts, facts)
    return pages.withTexts({ ...wording, isAdmin }, () => handle(request, context))
  }
}

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
