import { useEffect, useState } from 'react'
import { productChange, type AdminProduct } from '#contract/catalog/admin-products.ts'
import type { AdminProductsApi } from '#domains/delivery/products.routes.ts'
import type { OldPricesApi } from '#domains/payments/attention.routes.ts'
import type { Neighbors } from '#contract/paging.ts'
import { responseOf } from '../../../api.ts'
import { checkFields } from '../../../check-fields.ts'
import { formatCount } from '../../../format.ts'
import type { Toast } from '../../../toasts.tsx'
import { useActionForm, type FormResult } from '../../../use-action-form.ts'
import { Card } from '../../../components/card.tsx'
import { ActionForm } from '../action-form.tsx'
import { Failed } from '../../../components/failed.tsx'
import { adminAction } from '../admin-action.ts'
import { adminClient, load } from '../admin-client.ts'
import { NeighborLinks } from '../neighbor-links.tsx'
import type { Route } from './+types/product.ts'
import { CardWarning } from './card-warning.tsx'
import { Cover } from './cover.tsx'
import { gapWords } from './delivery-gap.ts'
import { Editions } from './editions.tsx'
import { OldPriceCard } from './old-price-card.tsx'
import { BundleParts } from './bundle-parts.tsx'
import { ProductActions } from './product-actions.tsx'
import { ProductAside } from './product-aside.tsx'
import { ProductFields, readChangedFields, readProductFields } from './product-fields.tsx'
import type { ProductDraft } from './sale-checklist.ts'
import { ReleaseCard } from './release-card.tsx'
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

export default function ProductPage({ loaderData, actionData }: Route.ComponentProps) {
  const [draft, setDraft] = useState<ProductDraft>()
  if (!loaderData) return <Failed title="The product could not be loaded" />
  const { product, adminProducts, atOldPrice } = loaderData
  const { format } = product
  return (
    <div className="grid gap-5">
      <NeighborLinks
        label="Products"
        path="/admin/products"
        neighbors={neighborsIn(adminProducts, product.id)}
        words={{ newer: 'Previous', older: 'Next' }}
      />
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
          <ReleaseCard product={product} />
          <Editions product={product} />
          <ProductActions product={product} />
        </div>
      </div>
    </div>
  )
}

/** None for an archived one: the list shows those apart. */
function neighborsIn(adminProducts: readonly AdminProduct[], id: string): Neighbors | undefined {
  const listed = adminProducts.filter(({ archived_at }) => !archived_at)
  const at = listed.findIndex((each) => each.id === id)
  if (at === -1) return undefined
  return { newer: listed[at - 1]?.id ?? null, older: listed[at + 1]?.id ?? null }
}

type ProductFormProps = {
  product: AdminProduct
  actionData: Route.ComponentProps['actionData']
  onDraft: (draft: ProductDraft | undefined) => void
}

function ProductForm({ product, actionData, onDraft }: ProductFormProps) {
  const state = useActionForm(actionData)
  useEffect(() => {
    if (actionData?.isSaved) onDraft(undefined)
  }, [actionData, onDraft])
  const { name, description, contents, price, format, is_digital, delivery_gap } = product
  const fields = { name, description, contents, price, format, is_digital }
  return (
    <Card title={name} action={<span className="text-sm text-soft">{formatCount(product.sold)} sold</span>}>
      {delivery_gap && (
        <CardWarning>
          <span className="font-semibold">{gapWords[delivery_gap]}</span>
        </CardWarning>
      )}
      <ActionForm
        state={state}
        key={JSON.stringify(fields)}
        button="Save"
        busyButton="Saving..."
        onInput={({ currentTarget }) => {
          state.markChanged()
          onDraft(readProductFields(new FormData(currentTarget)))
        }}
      >
        <ProductFields product={product} problems={state.problems} />
      </ActionForm>
    </Card>
  )
}
