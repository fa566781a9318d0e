// The services up to the book domain.
import type { CatalogShop } from '#domains/catalog/shop.ts'
import type { CoverPictures } from './covers.ts'
import type { Book } from './published-book.ts'
import type { BookReader } from './book-reader.ts'

/** The domains from orders to readers open nothing of their own and use it, too. */
export type CommerceShop = { book: Book; bookReader: BookReader; coverPictures: CoverPictures } & CatalogShop
