// The book and its offers as search engines read them (schema.org).
import type { ShownBook } from '#contract/book/shown-book.ts'
import type { Product } from '#contract/catalog/products.ts'
import type { Format } from '#contract/catalog/formats.ts'
import { productsOfBook } from '#contract/catalog/product-name.ts'
import { chosenPath } from '#contract/chosen-product.ts'
import { toDecimal } from '#contract/money.ts'

/** schema.org knows no bundle: that one is an offer without a format of its own. */
const bookFormats: Partial<Record<Format, string>> = {
  digital: 'https://schema.org/EBook',
  paperback: 'https://schema.org/Paperback',
  hardcover: 'https://schema.org/Hardcover',
}

function availability({ is_sold_out, release }: Product): string {
  if (is_sold_out) return 'SoldOut'
  return release ? 'PreOrder' : 'InStock'
}

type Shop = { siteUrl: string; currency: string; book: ShownBook }

export function bookJsonLd(shop: Shop, products: readonly Product[]) {
  const { siteUrl, book } = shop
  return {
    '@context': 'https://schema.org',
    '@type': 'Book',
    '@id': `${siteUrl}/#book`,
    name: book.title,
    alternativeHeadline: book.subtitle || undefined,
    description: book.description,
    inLanguage: book.language,
    ...originOf(book),
    url: `${siteUrl}/`,
    image: siteUrl + book.cover_files.social,
    workExample: productsOfBook(products, book.title).map((product) => editionOf(product, shop)),
  }
}

function originOf({ author, publisher, published_on }: ShownBook) {
  return {
    author: { '@type': 'Person', name: author.name },
    publisher: publisher ? { '@type': 'Organization', name: publisher } : undefined,
    datePublished: published_on || undefined,
  }
}

function editionOf(product: Product, shop: Shop) {
  const { siteUrl, book } = shop
  return {
    '@type': product.is_available_soon ? 'Book' : ['Book', 'Product'],
    '@id': `${siteUrl}/#${product.id}`,
    name: product.name,
    description: product.description || book.description,
    ...originOf(book),
    inLanguage: book.language,
    bookFormat: bookFormats[product.format],
    ...(product.format !== 'bundle' && {
      isbn: book.isbns[product.format] || undefined,
      numberOfPages: book.pages[product.format] || undefined,
    }),
    image: siteUrl + (product.cover_url ?? book.cover_files.social),
    offers: product.is_available_soon ? undefined : offerOf(product, shop),
  }
}

/** The offer lacks the cost of shipping, which would hold for every country: the page's data name none. */
function offerOf(product: Product, { siteUrl, currency, book }: Shop) {
  const { claims, refund_days } = book
  const priceCurrency = currency.toUpperCase()
  return {
    '@type': 'Offer',
    price: toDecimal(product.price, currency),
    priceCurrency,
    availability: `https://schema.org/${availability(product)}`,
    availabilityStarts: product.release?.on,
    url: siteUrl + chosenPath(product.id),
    hasMerchantReturnPolicy:
      claims.refund && product.price > 0
        ? {
            '@type': 'MerchantReturnPolicy',
            returnPolicyCategory: 'https://schema.org/MerchantReturnFiniteReturnWindow',
            merchantReturnDays: refund_days,
            returnMethod: product.ships ? 'https://schema.org/ReturnByMail' : undefined,
          }
        : undefined,
  }
}
