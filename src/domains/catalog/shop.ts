import type { FilesShop } from '#domains/files/shop.ts'
import type { Catalogue } from './catalogue.ts'
import type { OwnBook } from './sale-mode.ts'

export type CatalogShop = FilesShop & OwnBook & { catalogue: Catalogue }
