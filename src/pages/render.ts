// Finds the page of a path and renders it to a response.
import {
  createRequestHandler,
  RouterContextProvider,
  type RouterContext,
  type ServerBuild,
} from 'react-router'
import { pathToFileURL } from 'node:url'
import type { FormAnswer, Shown } from './page-answer.ts'
import type { BookDocument } from '#contract/book/book.ts'
import { type BriefBook, showWholeBook, type WholeBook } from '#domains/book/show-book.ts'
import type { ExcerptFile } from '#contract/catalog/excerpt-file.ts'
import type { SaleMode, Product } from '#contract/catalog/products.ts'
import type { DeliveryDays, EuPaper } from '#contract/orders/eu-paper.ts'
import type { ShippingRange, TaxInPrices } from '#contract/orders/prices.ts'
import type { LettersTerms } from '#contract/mail/letters.ts'
import type { Seller } from '#contract/orders/seller.ts'
import { isAdminPath } from '#contract/app-paths.ts'
import { memoizeLast } from '#platform/cached.ts'
import { ownFile } from '#platform/own-file.ts'
import type { LegalFacts } from '#domains/book/legal-pages.ts'
import type { Wording } from '#words/texts.ts'
import { loadPageWording, withTexts } from '#words/wording.ts'

/** Who posts the books on paper, and the countries that they go to, by code. */
export type Parcels = { sender: string; countries: readonly string[] }

export type ShopFacts = {
  saleMode: SaleMode
  hasGuestCheckout: boolean
  hasWithdrawal: boolean
  hasTax: boolean
  taxInPrices?: TaxInPrices | undefined
  /** The author where no money is taken. */
  digitalSeller: Seller
  isTestMode: boolean
  sendsMail: boolean
  /** Null where the author sends no letters. */
  letters: LettersTerms | null
  /** Null where none is given by email. */
  excerpt: ExcerptFile | null
  currency: string
  shipping: ShippingRange
  deliveryDays: DeliveryDays | null
  parcels: Parcels
  /** Facts that the law of the European Union asks for beside a book on paper; null where it does not. */
  euPaper: EuPaper | null
  /** The address of the picture that links show; null where they show that of the cover. */
  sharePicture: string | null
}

type Entry = {
  shownProducts: RouterContext<Product[] | undefined>
  shownBook: RouterContext<WholeBook['shown']>
  shownChapters: RouterContext<WholeBook['chapters']>
  shownLegalPages: RouterContext<WholeBook['legal']>
  shopFacts: RouterContext<ShopFacts>
  withTexts: typeof withTexts
}

export type PageData = PageBook & {
  products: Product[] | undefined
  facts: ShopFacts
  /** The answer to a form of the site that was posted without scripts. */
  answer?: FormAnswer | undefined
  shown?: Shown | undefined
}

/** `brief`: the page shows neither chapters nor legal pages. */
type PageBook = { document: BookDocument } | { brief: BriefBook }

type Render = (request: Request, data: PageData) => Promise<Response>

export type SiteRequest = {
  /** One of `sitePaths`. */
  path: string
  /** No slash at the end. */
  siteUrl: string
  book: WholeBook
  products: Product[] | undefined
  facts: ShopFacts
  answer?: FormAnswer | undefined
  shown?: Shown | undefined
}

/** src/web/site/render.tsx. */
type SiteFront = {
  sitePaths: readonly string[]
  renderSite: (request: SiteRequest) => Response
  withTexts: typeof withTexts
}

/** The renderers of the pages: those of the app by its router, those of the site as they are. */
export type Fronts = { app: ServerBuild; site: SiteFront }

export async function loadFronts(): Promise<Fronts> {
  const load = (name: string) => import(pathToFileURL(ownFile(`#build/server/${name}.js`)).href)
  return { app: await load('pages'), site: await load('site') }
}

type Whole = { document: BookDocument } & LegalFacts

const readWhole = memoizeLast(async ({ document, ...facts }: Whole) => showWholeBook(document, facts))

export function createRender({ app, site }: Fronts, mode: 'development' | 'production'): Render {
  const handle = createRequestHandler(app, mode)
  // The pages have their texts in modules of their own while the shop is developed.
  const pages = app.entry.module as unknown as Entry
  const { shownProducts, shownBook, shownChapters, shownLegalPages, shopFacts } = pages
  return async (request, { products, facts, answer, shown, ...pageBook }) => {
    const { origin, pathname } = new URL(request.url)
    const isAdmin = isAdminPath(pathname)
    const { book, wording } = await readPageBook(pageBook, facts)
    const path = findPath(site.sitePaths, pathname)
    if (path)
      return site.withTexts(wording, () =>
        site.renderSite({ path, siteUrl: origin, book, products, facts, answer, shown }),
      )
    const context = new RouterContextProvider()
    context.set(shownProducts, products)
    context.set(shownBook, book.shown)
    context.set(shownChapters, book.chapters)
    context.set(shownLegalPages, book.legal)
    context.set(shopFacts, facts)
    return pages.withTexts({ ...wording, isAdmin }, () => handle(request, context))
  }
}

async function readPageBook(
  pageBook: PageBook,
  {
    hasWithdrawal,
    letters,
    excerpt,
    digitalSeller,
  }: Pick<ShopFacts, 'hasWithdrawal' | 'letters' | 'excerpt' | 'digitalSeller'>,
): Promise<{ book: WholeBook; wording: Wording }> {
  if ('brief' in pageBook) {
    const { shown, wording } = pageBook.brief
    return { book: { shown, chapters: [], legal: [] }, wording }
  }
  const { document } = pageBook
  const wording = await loadPageWording(document)
  // Kept for other pages, so never with the words of the admin area.
  const facts = {
    hasWithdrawal,
    lettersProgram: letters?.program ?? null,
    givesExcerpt: excerpt !== null,
    digitalSeller,
  }
  return { book: await withTexts(wording, () => readWhole({ document, ...facts })), wording }
}

/** A literal path wins over a pattern. */
function findPath(paths: readonly string[], pathname: string): string | undefined {
  return paths.includes(pathname) ? pathname : paths.find((path) => pathPattern(path).test(pathname))
}

/** `:id` is any segment. */
export function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:[^/]+/g, '[^/]+')}$`)
}

export function pagePaths({ app, site }: Fronts): string[] {
  return [...site.sitePaths, ...appPaths(app)]
}

function appPaths({ routes }: Pick<ServerBuild, 'routes'>): string[] {
  const all = Object.values(routes).filter((route) => route !== undefined)
  const branchTo = (id: string | undefined): typeof all => {
    const route = all.find((each) => each.id === id)
    return route ? [...branchTo(route.parentId), route] : []
  }
  const pages = all.filter(({ index, path }) => index || (path && !path.includes('*')))
  const paths = pages.map(({ id }) => branchTo(id).flatMap(({ path }) => path || []))
  return [...new Set(paths.map((segments) => `/${segments.join('/')}`))]
}
