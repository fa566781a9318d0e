// The screen that adds a product.
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { AdminProductsApi } from '#domains/delivery/products.routes.ts'
import { responseOf } from '../../../api.ts'
import { useForm } from '../../../forms/form.ts'
import { Card } from '../../card.tsx'
import { AdminForm, useAdminCall, adminClient, load } from '../calls.tsx'
import type { Route } from './+types/new-product.ts'
import {
  gapWords,
  emptyDraft,
  type ProductDraft,
  checkNewProduct,
  ProductFields,
  readProductFields,
} from './product-fields.tsx'
import { ProductAside } from './product-aside.tsx'

const api = adminClient<AdminProductsApi>()

export function clientLoader() {
  return load('Failed to load products', () => responseOf(api.products.$get()))
}

export default function NewProduct({ loaderData }: Route.ComponentProps) {
  const [draft, setDraft] = useState(emptyDraft)
  const [, run] = useAdminCall({ loadsAgain: false })
  const navigate = useNavigate()
  const state = useForm(checkNewProduct, add, { asksBeforeLeaving: true })

  async function add(json: ProductDraft) {
    const call = async () => {
      const product = await responseOf(api.products.$post({ json }))
      state.markSaved()
      await navigate(`/admin/products/${product.id}`)
      return product
    }
    return run(call, {
      done: ({ delivery_gap: gap }) => ({
        title: 'Product added',
        ...(gap && { description: `${gapWords(gap)}.` }),
      }),
      failed: 'Couldn’t add the product',
    })
  }
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_23rem]">
      <Card title="Add a product">
        <AdminForm
          state={state}
          button="Add the product"
          busyButton="Adding..."
          onInput={({ currentTarget }) => {
            state.markChanged()
            setDraft(readProductFields(new FormData(currentTarget)))
          }}
        >
          <ProductFields problems={state.problems} />
        </AdminForm>
      </Card>
      <ProductAside draft={draft} adminProducts={loaderData ?? []} />
    </div>
  )
}
