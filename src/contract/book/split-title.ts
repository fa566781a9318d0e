// The title around the product's name, which the page and the cover show larger than the rest.
import { type BookDocument, productPlaceholder } from './book.ts'
import type { ShownBook } from './shown-book.ts'

export function splitTitle({ title, product }: BookDocument): ShownBook['title_parts'] {
  const at = title.indexOf(productPlaceholder)
  if (at < 0) return { before: title, product: '', after: '' }
  const after = title.slice(at + productPlaceholder.length).replaceAll(productPlaceholder, product)
  return { before: title.slice(0, at).trim(), product, after: after.trim() }
}
