import type { AdminProduct } from '#contract/catalog/admin-products.ts'

type Product = Pick<AdminProduct, 'id' | 'format' | 'parts' | 'editions'>

/** In capitals, the parts' first. A book on paper gives none, also where a file was uploaded for it. */
export function offeredFormats(product: Product, all: readonly Product[]): string[] {
  const parts = all.filter(({ id }) => product.parts.includes(id))
  const formats = [...parts, product]
    .filter(({ format }) => format === 'digital' || format === 'bundle')
    .flatMap(({ editions }) => editions.map(({ file_format }) => file_format.toUpperCase()))
  return [...new Set(formats)]
}
