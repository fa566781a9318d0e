import { useState } from 'react'
import { redirect } from 'react-router'
import { newProduct } from '#contract/catalog/admin-products.ts'
import type { AdminProductsApi } from '#domains/delivery/products.routes.ts'
import { responseOf } from '../../../api.ts'
import { checkFields } from '../../../form.ts'
import { toast } from '../../../toasts.tsx'
import { Card } from '../../../components/card.tsx'
import { ActionForm } from '../action-form.tsx'
import { useActionForm } from '../../../use-checked-form.ts'
import { showFailure } from '../call-button.tsx'
import { adminClient, load } from '../admin-client.ts'
import type { Route } from './+types/new-product.ts'
import { gapWords, emptyDraft } from './sale-checklist.ts'
import { ProductAside } from './product-aside.tsx'
import { ProductFields, readProductFields } from './product-fields.tsx'

const api = adminClient<AdminProductsApi>()

export function clientLoader() {
  return load('Failed to load products', () => responseOf(api.products.$get()))
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  const json = readProductFields(await request.formData())
  const problems = checkFields(newProduct, json)
  if (problems) return { isSaved: false as const, problems }
  try {
    const { id, delivery_gap: gap } = await responseOf(api.products.$post({ json }))
    toast({ title: 'Product added', ...(gap && { description: `${gapWords[gap]}.` }) })
    return redirect(`/admin/products/${id}`)
  } catch (error) {
    return showFailure('Couldn’t add the product', error)
  }
}

export default function NewProduct({ loaderData, actionData }: Route.ComponentProps) {
  const [draft, setDraft] = useState(emptyDraft)
  const state = useActionForm(actionData)
  return (
    <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_23rem]">
      <Card title="Add a product">
        <ActionForm
          state={state}
          button="Add the product"
          busyButton="Adding..."
          onInput={({ currentTarget }) => {
            state.markChanged()
            setDraft(readProductFields(new FormData(currentTarget)))
          }}
        >
          <ProductFields problems={state.problems} />
        </ActionForm>
      </Card>
      <ProductAside draft={draft} adminProducts={loaderData ?? []} />
    </div>
  )
}
