import { useFetcher } from 'react-router'
import type { AdminProduct } from '#features/products/contract/admin-products.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Check } from '../../../components/icons.tsx'
import { isSelling } from '#features/products/contract/sale-mode.ts'
import { useSaleMode } from '../../../shop.ts'
import { missingSteps, saleChecklist, type ProductDraft } from './sale-checklist.ts'

type SaleChecklistProps = { draft: ProductDraft; product?: AdminProduct | undefined }

export function SaleChecklist({ draft, product }: SaleChecklistProps) {
  const steps = saleChecklist(draft, product)
  return (
    <Card title="Before it can be sold" action={<State missing={missingSteps(steps)} product={product} />}>
      <ul className="grid gap-3 p-5">
        {steps.map(({ label, hint, isDone, isOptional }) => (
          <li key={label} className="flex gap-3">
            <Mark isDone={isDone} />
            <div className="min-w-0">
              <p className={isDone ? '' : 'font-semibold'}>
                {label}
                <span className="sr-only">{isDone ? ': done' : ': missing'}</span>
                {isOptional && !isDone && <span className="font-normal text-soft"> (worth having)</span>}
              </p>
              {hint && <p className="text-sm text-pretty text-soft">{hint}</p>}
            </div>
          </li>
        ))}
      </ul>
      {product?.is_hidden && !product.archived_at && <ShowIt product={product} />}
    </Card>
  )
}

function Mark({ isDone }: { isDone: boolean }) {
  const look = isDone ? 'border-success bg-success/12 text-success' : 'border-edge'
  return (
    <span
      aria-hidden
      className={`mt-0.5 grid size-5 shrink-0 place-items-center rounded-full border ${look}`}
    >
      {isDone && <Check className="size-3.5" strokeWidth={2.5} />}
    </span>
  )
}

type StateProps = { missing: number; product: AdminProduct | undefined }

function State({ missing, product }: StateProps) {
  const mode = useSaleMode()
  if (product?.archived_at) return <Badge>in the archive</Badge>
  if (product?.is_sold_out && product.is_for_sale) return <Badge look="danger">sold out</Badge>
  if (product?.is_for_sale && !isSelling(mode)) return <Badge look="toned">available soon</Badge>
  if (product?.is_for_sale) return <Badge look="highlighted">for sale</Badge>
  if (missing > 0)
    return <Badge look="toned">{missing === 1 ? '1 step left' : `${missing} steps left`}</Badge>
  return <Badge>{product?.is_hidden ? 'hidden' : 'not saved yet'}</Badge>
}

function ShowIt({ product: { id, delivery_gap } }: { product: AdminProduct }) {
  const fetcher = useFetcher()
  const isBusy = fetcher.state !== 'idle'
  const show = () =>
    void fetcher.submit({ id, is_for_sale: 'true' }, { method: 'post', action: '/admin/products' })
  return (
    <div className="grid gap-3 border-t border-line p-5">
      <p className="text-sm text-pretty text-soft">
        {delivery_gap
          ? 'It is hidden. Shown, it is for sale as soon as nothing is missing.'
          : 'It is hidden: only you see it. Its card is as below.'}
      </p>
      <p>
        <Button disabled={isBusy} onClick={show}>
          {isBusy ? 'Showing...' : 'Show it on the page'}
        </Button>
      </p>
    </div>
  )
}
