import type { AdminProduct } from '#features/products/contract/admin-products.ts'
import { CardPreview } from './card-preview.tsx'
import { SaleChecklist } from './sale-checklist-card.tsx'
import type { ProductDraft } from './sale-checklist.ts'

type ProductAsideProps = {
  draft: ProductDraft
  product?: AdminProduct
  adminProducts: AdminProduct[]
}

export function ProductAside({ draft, product, adminProducts }: ProductAsideProps) {
  return (
    <aside
      aria-label="On the page"
      className="grid gap-6 lg:sticky lg:top-6 lg:col-start-2 lg:row-span-2 lg:row-start-1"
    >
      <SaleChecklist draft={draft} product={product} />
      <CardPreview draft={draft} product={product} adminProducts={adminProducts} />
    </aside>
  )
}
