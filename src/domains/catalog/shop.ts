// The services up to the catalog domain, and its refusals as Problems.
import type { FilesShop } from '#domains/files/shop.ts'
import type { Catalogue } from './catalogue.ts'
import type { OwnBook } from './sale-mode.ts'
import { catalogRefusals } from '#contract/refusals.ts'
import { problems } from '#platform/problem.ts'

export type CatalogShop = FilesShop & OwnBook & { catalogue: Catalogue }

export const catalogProblem = problems(catalogRefusals)
