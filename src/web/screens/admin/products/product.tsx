import { TriangleAlert } from '../icons.tsx'
import { useEffect, useState } from 'react'
import { Form } from 'react-router'
import {
  productChange,
  type AdminProduct,
  type DeliveryGap,
} from '#features/products/contract/admin-products.ts'
import type { AdminProductsApi } from '#features/products/admin-routes.ts'
import type { OldPricesApi } from '#features/payments/admin-routes.ts'
import { responseOf } from '../../../api.ts'
import { checkFields } from '../../../check-fields.ts'
import { formatCount } from '../../../format.ts'
import type { Toast } from '../../../toasts.tsx'
import { useActionForm, type FormResult } from '../../../use-action-form.ts'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Failed } from '../../../components/failed.tsx'
import { adminAction } from '../admin-action.ts'
import { adminClient, load } from '../admin-client.ts'
import type { Route } from './+types/product.ts'
import { Cover } from './cover.tsx'
import { gapWords } from './delivery-gap.ts'
import { Editions } from './editions.tsx'
import { OldPriceCard } from './old-price-card.tsx'
import { BundleParts } from './bundle-parts.tsx'
import { ProductActions } from './product-actions.tsx'
import { ProductAside } from './product-aside.tsx'
import { ProductFields, readChangedFields, readProductFields } from './product-fields.tsx'
import type { ProductDraft } from './sale-checklist.ts'
import { StockCard } from './stock-card.tsx'

const api = adminClient<AdminProductsApi>()
const oldPrices = adminClient<OldPricesApi>()

export function clientLoader({ params }: Route.ClientLoaderArgs) {
  return load('Failed to load products', async () => {
    const [product, adminProducts, { count: atOldPrice }] = await Promise.all([
      responseOf(api.products[':id'].$get({ param: params })),
      responseOf(api.products.$get()),
      responseOf(oldPrices.products[':id']['old-price-checkouts'].$get({ param: params })),
    ])
    return { product, adminProducts, atOldPrice }
  })
}

export async function clientAction({ params, request }: Route.ClientActionArgs): Promise<FormResult> {
  const json = readChangedFields(await request.formData())
  const hasChanges = Object.keys(json).length > 0
  const problems = hasChanges ? checkFields(productChange, json) : undefined
  if (problems) return { isSaved: false, problems }
  const call = async () =>
    hasChanges ? responseOf(api.products[':id'].$patch({ param: params, json })) : undefined
  return adminAction(call, { done: productSaved, failed: 'Couldn’t save' })
}

function productSaved(saved: AdminProduct | undefined): Toast {
  const shown = saved?.is_for_sale ? 'It shows on the page from now on. ' : ''
  return { title: 'Product saved', description: `${shown}Prices already paid stay.` }
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
          <BundleParts key={product.parts.join()} bundle={product} adminProducts={adminProducts} />
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
  onDraft: (draft: ProductDraft | undefined) => void
}

function ProductForm({ product, actionData, onDraft }: ProductFormProps) {
  const { form, isBusy, problems, markChanged } = useActionForm(actionData)
  useEffect(() => {
    if (actionData?.isSaved) onDraft(undefined)
  }, [actionData, onDraft])
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
          <ProductFields product={product} problems={problems} />
          <p>
            <Button type="submit">{isBusy ? 'Saving...' : 'Save'}</Button>
          </p>
        </fieldset>
      </Form>
    </Card>
  )
}
