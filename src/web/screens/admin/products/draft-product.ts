import { formats, type Product } from '#contract/catalog/products.ts'
import type { AdminProduct } from '#contract/catalog/admin-products.ts'
import type { ProductDraft } from './sale-checklist.ts'

export function draftProduct(
  draft: ProductDraft,
  saved: AdminProduct | undefined,
  all: readonly AdminProduct[],
): Product {
  const isBundle = draft.format === 'bundle'
  const parts = isBundle ? all.filter(({ id }) => saved?.parts.includes(id)) : []
  const holds = formats.filter((format) => parts.some((part) => part.format === format))
  const own = draft.format === 'digital' || isBundle ? (saved?.editions ?? []) : []
  const digital = parts.filter(({ format }) => format === 'digital')
  const files = [...digital.flatMap(({ editions }) => editions), ...own]
  const bookFiles = digital.length > 0 ? files.filter((file) => !own.includes(file)) : files
  return {
    ...draft,
    id: saved?.id ?? '',
    name: draft.name || 'Its name',
    price: Number.isFinite(draft.price) ? draft.price : 0,
    is_digital: draft.format === 'digital' || files.length > 0,
    ships: draft.format !== 'digital' && (parts.length === 0 || parts.length > digital.length),
    is_sold_out: saved?.is_sold_out ?? false,
    cover_url: saved?.cover_url ?? null,
    cover: saved?.cover ?? null,
    ...(saved?.pending_release && { release: saved.pending_release }),
    parts: parts.map(({ id }) => id),
    holds,
    file_formats: [...new Set(bookFiles.map(({ file_format }) => file_format))],
    bonuses: digital.length > 0 ? newestTitles(own) : [],
  }
}

function newestTitles(editions: AdminProduct['editions']): string[] {
  const newest = editions.filter(
    ({ file_format }, at) => editions.findIndex((each) => each.file_format === file_format) === at,
  )
  return [...new Set(newest.map(({ title }) => title))]
}
