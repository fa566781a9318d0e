import type { FilesShop } from '#domains/files/shop.ts'
import type { Catalogue, OwnBook } from './catalogue.ts'
import { catalogRefusals } from '#contract/refusals.ts'
import { problems } from '#platform/problem.ts'

export type CatalogShop = FilesShop & OwnBook & { catalogue: Catalogue }

export const catalogProblem = problems(catalogRefusals)
