// One product: its words and price, its picture, what it holds, and every edition of its file.
import { TriangleAlert } from '../icons.tsx'
import { useEffect, useRef, useState } from 'react'
import { Form, useNavigation } from 'react-router'
import {
  productChange,
  type AdminProduct,
  type DeliveryGap,
} from '#features/products/contract/admin-products.ts'
import type { AdminProductsApi } from '#features/products/admin-routes.ts'
import type { OldPricesApi } from '#features/payments/old-price-routes.ts'
import { responseOf, ProblemError } from '../../../api.ts'
import { checkFields } from '../../../check-fields.ts'
import { failure, notices } from '../../../copy.ts'
import { useFocusBack, useFocusWrong } from '../../../focus-back.ts'
import { formatCount } from '../../../format.ts'
import { toast } from '../../../toasts.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Failed } from '../../../components/note.tsx'
import { useUnsavedChanges } from '../../../use-unsaved-changes.ts'
import { adminClient } from '../admin-client.ts'
import { leaveIfRefused, load } from '../load.ts'
import type { Route } from './+types/product.ts'
import { Cover } from './cover.tsx'
import { gapWords } from './delivery-gap.ts'
import { Editions } from './editions.tsx'
import { OldPriceCard } from './old-price-card.tsx'
import { Parts } from './parts.tsx'
import { ProductActions } from './product-actions.tsx'
import { ProductAside } from './product-aside.tsx'
import { ProductFields, readChangedFields, readProductFields } from './product-fields.tsx'
import type { ProductDraft } from './sale-checklist.ts'
import { StockCard } from './stock-card.tsx'

export { NotHere as ErrorBoundary } from '../not-here.tsx'

const api = adminClient<AdminProductsApi>()
const oldPrices = adminClient<OldPricesApi>()

export function clientLoader({ params }: Route.ClientLoaderArgs) {
  return load(notices.productsFailed, async () => {
    const [product, adminProducts, { count: atOldPrice }] = await Promise.all([
      responseOf(api.products[':id'].$get({ param: params })),
      responseOf(api.products.$get()),
      responseOf(oldPrices.products[':id']['old-price-checkouts'].$get({ param: params })),
    ])
    return { product, adminProducts, atOldPrice }
  })
}

export async function clientAction({ params, request }: Route.ClientActionArgs) {
  const json = readChangedFields(await request.formData())
  const hasChanges = Object.keys(json).length > 0
  const problems = hasChanges ? checkFields(productChange, json) : undefined
  if (problems) return { isSaved: false, problems }
  try {
    const saved = hasChanges && (await responseOf(api.products[':id'].$patch({ param: params, json })))
    const shown = saved && saved.is_for_sale ? 'It shows on the page from now on. ' : ''
    toast({ title: 'Product Saved', description: `${shown}Prices already paid stay.` })
    return { isSaved: true }
  } catch (error) {
    leaveIfRefused(error)
    toast(failure('Not Saved', error))
    return { isSaved: false, problems: error instanceof ProblemError ? error.fields : undefined }
  }
}

function NotForSale({ gap }: { gap: DeliveryGap }) {
  return (
    <p className="flex gap-3 border-b border-line bg-gold/10 px-5 py-3 text-sm font-semibold">
      <TriangleAlert aria-hidden className="mt-px size-5 shrink-0 text-gold-text" />
      {gapWords[gap]}
    </p>
  )
}

export default function ProductPage({ loaderData, actionData }: Route.ComponentProps) {
  const [draft, setDraft] = useState<ProductDraft>()
  if (!loaderData) return <Failed title="The product could not be loaded" />
  const { product, adminProducts, atOldPrice } = loaderData
  const { format } = product
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_23rem]">
      <div className="grid gap-6">
        <ProductForm product={product} actionData={actionData} onDraft={setDraft} />
        <OldPriceCard product={product} count={atOldPrice} />
      </div>
      <ProductAside draft={draft ?? product} product={product} adminProducts={adminProducts} />
      <div className="grid gap-6 lg:col-start-1">
        {format === 'bundle' && (
          <Parts key={product.parts.join()} bundle={product} adminProducts={adminProducts} />
        )}
        {(format === 'paperback' || format === 'hardcover') && <StockCard product={product} />}
        <Cover product={product} />
        <Editions product={product} />
        <ProductActions product={product} />
      </div>
    </div>
  )
}

type ProductFormProps = {
  product: AdminProduct
  actionData: Route.ComponentProps['actionData']
  /** Undefined once it is saved. */
  onDraft: (draft: ProductDraft | undefined) => void
}

function ProductForm({ product, actionData, onDraft }: ProductFormProps) {
  // Until the product as it is now has come, and with it the form that holds it.
  const isBusy = useNavigation().formMethod !== undefined
  const form = useRef<HTMLFormElement>(null)
  useFocusBack(form, isBusy)
  useFocusWrong(form, actionData?.problems)
  const { markChanged, markSaved } = useUnsavedChanges()
  useEffect(() => {
    if (!actionData?.isSaved) return
    markSaved()
    onDraft(undefined)
  }, [actionData, markSaved, onDraft])
  const { name, description, contents, price, format, is_digital, delivery_gap } = product
  const fields = { name, description, contents, price, format, is_digital }
  return (
    <Card title={name} action={<span className="text-sm text-soft">{formatCount(product.sold)} sold</span>}>
      {delivery_gap && <NotForSale gap={delivery_gap} />}
      <Form
        ref={form}
        key={JSON.stringify(fields)}
        method="post"
        noValidate
        className="p-5"
        onInput={({ currentTarget }) => {
          markChanged()
          onDraft(readProductFields(new FormData(currentTarget)))
        }}
      >
        <fieldset disabled={isBusy} className="grid gap-5">
          <ProductFields product={product} problems={actionData?.problems} />
          <p>
            <Button type="submit">{isBusy ? 'Saving...' : 'Save'}</Button>
          </p>
        </fieldset>
      </Form>
    </Card>
  )
}
