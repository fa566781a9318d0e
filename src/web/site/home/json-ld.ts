// The book and its offers as search engines read them (schema.org).
import type { ShownBook } from '#contract/book/shown-book.ts'
import type { Format, Product } from '#contract/catalog/products.ts'
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

export function bookJsonLd({ siteUrl, currency, book }: Shop, products: readonly Product[]) {
  const author = { '@type': 'Person', name: book.author.name }
  return {
    '@context': 'https://schema.org',
    '@type': 'Book',
    '@id': `${siteUrl}/#book`,
    name: book.title,
    alternativeHeadline: book.subtitle || undefined,
    description: book.description,
    inLanguage: book.language,
    author,
    url: `${siteUrl}/`,
    image: siteUrl + book.cover_files.social,
    workExample: products.map((product) => ({
      '@type': product.format === 'bundle' ? ['Book', 'Product'] : 'Book',
      '@id': `${siteUrl}/#${product.id}`,
      name: product.name,
      author,
      inLanguage: book.language,
      bookFormat: bookFormats[product.format],
      isbn: product.format === 'bundle' ? undefined : book.isbns[product.format] || undefined,
      image: product.cover_url ? siteUrl + product.cover_url : undefined,
      offers: product.is_available_soon
        ? undefined
        : {
            '@type': 'Offer',
            price: toDecimal(product.price, currency),
            priceCurrency: currency.toUpperCase(),
            availability: `https://schema.org/${availability(product)}`,
            availabilityStarts: product.release?.on,
            url: `${siteUrl}/#book-sales`,
          },
    })),
  }
}
