import { asListed } from '#features/products/contract/sale-mode.ts'
import type { AdminProduct } from '#features/products/contract/admin-products.ts'
import { buyLabels, bundleSaving } from '../../../offers.ts'
import { useFormatMoney } from '../../../money.tsx'
import { AvailableSoon, ProductCard } from '../../../product-card.tsx'
import { useSaleMode } from '../../../shop.ts'
import { buttonClass } from '../../../components/button.tsx'
import { draftProduct } from './draft-product.ts'
import type { ProductDraft } from './sale-checklist.ts'

type CardPreviewProps = {
  draft: ProductDraft
  product: AdminProduct | undefined
  adminProducts: readonly AdminProduct[]
}

export function CardPreview({ draft, product, adminProducts }: CardPreviewProps) {
  const formatMoney = useFormatMoney()
  const mode = useSaleMode()
  const shown = asListed(draftProduct(draft, product, adminProducts), mode)
  const others = adminProducts
    .filter(({ id, is_for_sale }) => is_for_sale && id !== product?.id)
    .map((other) => asListed(draftProduct(other, other, adminProducts), mode))
  const page = [...others, shown]
  const isBest = draft.format === 'bundle'
  return (
    <section aria-labelledby="card-preview">
      <h2 id="card-preview" className="font-semibold">
        As buyers see it
      </h2>
      <ul className="mt-6 grid">
        <ProductCard product={shown} saving={isBest ? bundleSaving(shown, page) : undefined}>
          {shown.is_available_soon ? (
            <AvailableSoon />
          ) : (
            <p className={buttonClass(isBest ? 'primary' : 'outline', 'w-full cursor-default self-end')}>
              <span className="line-clamp-3 wrap-anywhere">
                {shown.is_sold_out ? 'Sold out' : buyLabels(page, formatMoney).get(shown.id)}
              </span>
            </p>
          )}
        </ProductCard>
      </ul>
    </section>
  )
}
