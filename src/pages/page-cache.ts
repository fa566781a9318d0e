// Ours because Hono's `secureHeaders` and `serveStatic` have half the throughput, and neither ETag nor 304.
import { cached, memoizeLast, type Cached } from '#platform/cached.ts'
import { compressBetter, type Content } from '#platform/http/content.ts'
import { pagePaths, pathPattern, type Fronts, type ShopFacts } from './render.ts'
import { offeredExcerpt, type PublishedBook } from '#domains/book/published-book.ts'
import { sharePictureUrl } from '#domains/book/share-picture.ts'
import { hasGuestCheckout } from '#domains/orders/guest-owners.ts'
import { digitalSeller } from '#contract/orders/seller.ts'
import { lettersTerms } from '#domains/mail/letters.ts'
import { saleModeOf, offersWithdrawal } from '#domains/catalog/sale-mode.ts'
import { readDeliveryDays, readEuPaper } from '#domains/orders/eu-paper.ts'
import { readShippingTerms } from '#domains/orders/shipping.ts'
import { addsTax, shippingRange } from '#contract/orders/prices.ts'
import type { Product } from '#contract/catalog/products.ts'
import type { Log } from '#platform/log.ts'
import { paymentMode } from '#platform/stripe/payments.ts'
import type { Settings } from '#platform/settings.ts'
import type { BookWork } from './book-work.ts'

export function cachePages(fronts: Fronts, options: SiteOptions) {
  const cache = (path: string) => cachePage(path, options)
  const home = cache('/')
  const notFound = cache('/404')
  const others = pagePaths(fronts).filter((path) => path !== '/')
  const pages = [
    { path: '/', fits: /^\/$/, page: home },
    // One page for every `:id`, because only the browser knows whose it is. A literal path wins over a pattern.
    ...others
      .toSorted((a, b) => Number(a.includes(':')) - Number(b.includes(':')))
      .map((path) => ({
        path,
        fits: pathPattern(path),
        page: cache(path),
      })),
  ]
  return {
    home,
    notFound,
    find: (path: string) => pages.find(({ fits }) => fits.test(path))?.page,
    patternOf: (path: string) => pages.find(({ fits }) => fits.test(path))?.path,
    drop: () => {
      for (const { page } of [...pages, { page: notFound }]) page.drop()
      Promise.resolve(home.get()).catch((error: unknown) =>
        options.log.error({ err: error }, 'the home page could not be rendered'),
      )
    },
  }
}

function cachePage(path: string, options: SiteOptions): Pick<Cached<Content>, 'get' | 'drop'> {
  const { bookReader, settings, log, listProducts, readBook, lastData } = options
  const make = memoizeLast(bookReader.renderContent)
  const improve = improveWhatStays(log)
  const makeOf = ({ products, book }: SiteData) =>
    make({
      url: settings.get().shop.site_url + path,
      products,
      document: book.document,
      facts: readFacts(options, book, products),
    })
  const { getOrStale, drop } = cached(
    async (read) => {
      const [products, book] = await read(Promise.all([listProducts(), readBook()]))
      const content = await makeOf({ products, book })
      improve(content)
      return content
    },
    (error) => log.warn({ err: error, path }, 'a page could not be rendered; the last one is shown'),
  )
  return {
    get: () => {
      const page = getOrStale(async () => makeOf(await lastData()))
      // The browser asks for the products itself where they are missing, and a page to show instead as well.
      return page instanceof Promise
        ? page.catch(async () => makeOf({ products: undefined, book: await readBook() }))
        : page
    },
    drop,
  }
}

const stayMs = 60_000

/** A page that has not changed for a minute is compressed once more. */
function improveWhatStays(log: Log) {
  let timer: NodeJS.Timeout | undefined
  let improved: Content | undefined
  return (content: Content) => {
    if (content === improved) return
    clearTimeout(timer)
    timer = setTimeout(() => {
      improved = content
      compressBetter(content).catch((error: unknown) =>
        log.warn({ err: error }, 'a page could not be compressed once more'),
      )
    }, stayMs).unref()
  }
}

export type SiteData = { products: Product[] | undefined; book: PublishedBook }

export type SiteOptions = {
  settings: Pick<Settings, 'get'>
  log: Log
  listProducts: () => Promise<Product[]>
  readBook: () => Promise<PublishedBook>
  lastData: () => Promise<SiteData>
  bookReader: Pick<BookWork, 'readBriefly' | 'renderContent' | 'renderHtml'>
  /** The folder of assets that are kept for tabs that are open during an upgrade. */
  dataDir?: string
  sendsMail: () => boolean
}

export function readFacts(
  { settings, sendsMail }: Pick<SiteOptions, 'settings' | 'sendsMail'>,
  book: Pick<PublishedBook, 'is_own' | 'document' | 'wording' | 'excerpt'>,
  products: readonly Product[] | undefined,
): ShopFacts {
  const { shop, tax } = settings.get()
  const { is_own } = book
  const mode = saleModeOf({ settings }, is_own)
  return {
    saleMode: mode,
    hasGuestCheckout: hasGuestCheckout({ settings }, is_own),
    hasWithdrawal: offersWithdrawal({ settings }, mode, products),
    hasTax: addsTax(tax),
    taxInPrices: tax.in_prices,
    digitalSeller: digitalSeller(tax, mode),
    isTestMode: paymentMode(settings) === 'test',
    sendsMail: sendsMail(),
    letters: is_own ? lettersTerms({ settings, mail: { sendsMail } }) : null,
    excerpt: offeredExcerpt(book, sendsMail()),
    currency: shop.currency,
    shipping: shippingRange(readShippingTerms({ settings }, mode)),
    deliveryDays: readDeliveryDays({ settings }),
    parcels: {
      sender: book.document.legal.blanks.seller || book.document.author.name,
      countries: settings.get().shipping.countries,
    },
    euPaper: readEuPaper({ settings }, book, products),
    sharePicture: sharePictureUrl(book, products),
  }
}
