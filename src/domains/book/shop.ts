import type { CatalogShop } from '#domains/catalog/shop.ts'
import type { CoverPictures } from './covers.ts'
import type { Book, BookReader } from './published-book.ts'

/** Also that of the domains from orders to readers, which open nothing of their own. */
export type BookShop = { book: Book; bookReader: BookReader; coverPictures: CoverPictures } & CatalogShop
