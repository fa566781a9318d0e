// The column beside a product's form: what it lacks for a sale, and its stock.
import type { AdminProductsApi } from '#domains/delivery/products.routes.ts'
import {
  type AdminProduct,
  type Product,
  lowStock,
  stockChange,
  isSelling,
  asListed,
} from '#contract/catalog/products.ts'
import { cardsTexts } from '#words/buying.ts'
import { Badge } from '../../../components/note.tsx'
import { Card } from '../../card.tsx'
import { Check } from '../../../components/icons.tsx'
import { useBookFacts, useSaleMode } from '../../../shop.ts'
import { BookWords } from '../book-words.tsx'
import { adminClient, useAdminCall } from '../calls.tsx'
import { allInWords } from '../sold-in-words.ts'
import {
  draftGapWords,
  draftOf,
  draftProduct,
  missingSteps,
  saleChecklist,
  type ProductDraft,
} from './product-fields.tsx'
import { buyLabels, bundleSaving } from '../../../product/offers.ts'
import { useFormatMoney } from '../../../format/money.tsx'
import { AvailableSoon, ProductCard } from '../../../product/product-card.tsx'
import { buttonClass, Button } from '../../../components/button.tsx'
import { formatCount } from '../../../format/format.tsx'
import { useState } from 'react'
import { ProblemError, responseOf } from '../../../api.ts'
import { asEntered, checkFields, useForm, type FormResult } from '../../../forms/form.ts'
import { Field } from '../../../components/field.tsx'

const api = adminClient<AdminProductsApi>()

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

type SaleChecklistProps = { draft: ProductDraft; product?: AdminProduct | undefined }

function SaleChecklist({ draft, product }: SaleChecklistProps) {
  const steps = saleChecklist(draft, product, useBookFacts())
  if (steps.every(({ isDone }) => isDone)) return null
  return (
    <Card title={product?.is_for_sale ? 'What it may still need' : 'Before it can be sold'}>
      <ul className="grid gap-3 p-5">
        {steps.map(({ label, hint, isDone, notYet }) => (
          <li key={label} className="flex gap-3">
            <StepMark isDone={isDone} />
            <div className="min-w-0">
              <p className={isDone ? '' : 'font-semibold'}>
                {label}
                <span className="sr-only">{isDone ? ': done' : ': missing'}</span>
                {notYet && !isDone && <span className="font-normal text-soft">{` (${notYet})`}</span>}
              </p>
              {hint && <p className="text-sm text-pretty text-soft">{hint}</p>}
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function StepMark({ isDone }: { isDone: boolean }) {
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

type SaleBadgeProps = { missing: number; product: AdminProduct | undefined }

function SaleBadge({ missing, product }: SaleBadgeProps) {
  const mode = useSaleMode()
  if (product?.archived_at) return <Badge>in the archive</Badge>
  if (product?.is_sold_out && product.is_for_sale) return <Badge look="danger">sold out</Badge>
  if (product?.is_for_sale && !isSelling(mode)) return <Badge look="toned">available soon</Badge>
  if (product?.is_for_sale)
    return <Badge look="highlighted">{product.is_released ? 'for sale' : 'pre-order'}</Badge>
  if (missing > 0)
    return <Badge look="toned">{missing === 1 ? '1 step left' : `${missing} steps left`}</Badge>
  return <Badge>{product?.is_hidden ? 'not for sale' : 'not saved yet'}</Badge>
}

type CardPreviewProps = {
  draft: ProductDraft
  product: AdminProduct | undefined
  adminProducts: readonly AdminProduct[]
}

function CardPreview({ draft, product, adminProducts }: CardPreviewProps) {
  const mode = useSaleMode()
  const book = useBookFacts()
  const isNamed = draft.name.trim() !== ''
  const lacksDay = draft.release_on === ''
  const page = adminProducts
    .filter(({ id, is_for_sale }) => is_for_sale && id !== product?.id)
    .map((other) => asListed(draftProduct(draftOf(other), other, adminProducts), mode))
  const shown = asListed(draftProduct(draft, product, adminProducts), mode)
  const gap = draftGapWords(draft, product)
  return (
    <section aria-labelledby="card-preview">
      <div className="flex items-center justify-between gap-3">
        <h2 id="card-preview" className="font-semibold">
          As buyers see it
        </h2>
        <SaleBadge missing={missingSteps(saleChecklist(draft, product, book))} product={product} />
      </div>
      {isNamed && Number.isFinite(draft.price) && !lacksDay ? (
        <>
          {gap && <p className="mt-2 text-sm text-soft">{gap}</p>}
          <BookWords>
            <ul className="mt-6 grid">
              <BuyersCard product={shown} page={[...page, shown]} isOnPage={!gap} />
            </ul>
          </BookWords>
        </>
      ) : (
        <p className="mt-2 text-sm text-soft">
          It is shown here once it has a name and a price{lacksDay && ', and the pre-order its day'}.
        </p>
      )}
    </section>
  )
}

type BuyersCardProps = {
  product: Product
  /** What is for sale with it. */
  page: readonly Product[]
  isOnPage: boolean
}

function BuyersCard({ product, page, isOnPage }: BuyersCardProps) {
  const formatMoney = useFormatMoney()
  const isBest = product.format === 'bundle'
  const saving = isBest ? bundleSaving(product, page) : undefined
  const look = isBest ? 'primary' : 'outline'
  return (
    <ProductCard product={product} saving={saving} isBestValue={saving !== undefined}>
      {!isOnPage ? null : product.is_available_soon ? (
        <AvailableSoon id={product.id} look={look} />
      ) : (
        <p className={buttonClass(look, 'w-full cursor-default self-end')}>
          <span className="line-clamp-3 wrap-anywhere">
            {product.is_sold_out ? cardsTexts.soldOut : buyLabels(page, formatMoney).get(product.id)}
          </span>
        </p>
      )}
    </ProductCard>
  )
}

/** "3 sold · 1 free copy given" */
export function ProductSales({ product }: { product: AdminProduct }) {
  const isGivenAway = useSaleMode() === 'free' || product.price === 0
  return allInWords(product, { isGivenAway })
}

export function StockBadge({ product: { copies, is_sold_out } }: { product: AdminProduct }) {
  if (is_sold_out) return <Badge look="danger">sold out</Badge>
  if (copies === null) return null
  return <Badge look={copies <= lowStock ? 'toned' : 'plain'}>{formatCount(copies)} left</Badge>
}

export function StockCard({ product }: { product: AdminProduct }) {
  const { id, copies, copies_reserved } = product
  const [, run] = useAdminCall()
  /** Undefined until it is touched: the field follows the sales till then. `seen` is what it showed at that moment. */
  const [typed, setTyped] = useState<{ text: string; seen: number | null }>()
  const shown = typed?.text ?? copies?.toString() ?? ''
  const state = useForm(asEntered, () => save(shown ? Number(shown) : NaN), { asksBeforeLeaving: true })
  const { form, isBusy, field } = state

  function showStock() {
    state.markSaved()
    setTyped(undefined)
  }
  async function save(newCount: number | null): Promise<FormResult> {
    const json = { copies: newCount, seen: typed ? typed.seen : copies }
    const problems = checkFields(stockChange, json)
    if (problems) return { isSaved: false, problems }
    const call = async () => {
      try {
        await responseOf(api.products[':id'].stock.$put({ param: { id }, json }))
        showStock()
      } catch (error) {
        // A second try would undo the sales: the field shows what is left now.
        if (error instanceof ProblemError && error.code === 'stock.changed_meanwhile') showStock()
        throw error
      }
    }
    return run(call, { done: newCount === null ? notCounted : counted, failed: 'Couldn’t save' })
  }

  return (
    <Card title="Copies" action={<StockBadge product={product} />}>
      <form {...form} className="grid gap-4 p-5">
        <p className="text-sm text-pretty text-soft">
          {copies === null
            ? 'Copies are not counted: it never sells out. Count them when you have only so many.'
            : 'Each sale takes one away. At 0 the page says “Sold out”, and so do bundles that hold it.'}
        </p>
        <Field
          label="Copies to sell"
          hint="Without those that are sold already and wait to be shipped."
          type="number"
          min="0"
          step="1"
          inputMode="numeric"
          disabled={isBusy}
          value={shown}
          onChange={({ target }) => setTyped({ text: target.value, seen: typed ? typed.seen : copies })}
          {...field('copies')}
        />
        {copies_reserved > 0 && (
          <p className="text-sm text-soft">
            {copies_reserved === 1 ? '1 more is' : `${copies_reserved} more are`} reserved for buyers who are
            paying. What is not paid within an hour comes back by itself.
          </p>
        )}
        <p className="flex flex-wrap gap-3">
          <Button type="submit" disabled={isBusy}>
            {isBusy ? 'Saving...' : copies === null ? 'Count copies' : 'Save the number'}
          </Button>
          {copies !== null && (
            <Button look="outline" disabled={isBusy} onClick={() => void state.run(() => save(null))}>
              Stop counting
            </Button>
          )}
        </p>
      </form>
    </Card>
  )
}

const counted = { title: 'Stock saved', description: 'The page shows it now.' }
const notCounted = { title: 'Stock is not counted', description: 'It is for sale without a limit now.' }
