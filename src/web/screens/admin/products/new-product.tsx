// One more product without a file: a book on paper, or one whose file comes later.
import { Form, redirect, useNavigation } from 'react-router'
import type { AdminProductsApi } from '#features/products/admin-routes.ts'
import { responseOf, adminClient, ProblemError } from '../../../api.ts'
import { failure } from '../../../copy.ts'
import { toast } from '../../../toasts.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { useUnsavedChanges } from '../../../use-unsaved-changes.ts'
import { leaveIfRefused } from '../load.ts'
import type { Route } from './+types/new-product.ts'
import { gapWords } from './delivery-gap.ts'
import { ProductFields, readProductFields } from './product-fields.tsx'

const api = adminClient<AdminProductsApi>()

export async function clientAction({ request }: Route.ClientActionArgs) {
  try {
    const json = readProductFields(await request.formData())
    const { id, delivery_gap: gap } = await responseOf(api.products.$post({ json }))
    toast({ title: 'Product Added', ...(gap && { description: `${gapWords[gap]}.` }) })
    return redirect(`/admin/products/${id}`)
  } catch (error) {
    leaveIfRefused(error)
    toast(failure('Not Added', error))
    return { problems: error instanceof ProblemError ? error.fields : undefined }
  }
}

export default function NewProduct({ actionData }: Route.ComponentProps) {
  const isBusy = useNavigation().state !== 'idle'
  const { markChanged } = useUnsavedChanges()
  return (
    <Card title="Add a product" className="mx-auto max-w-3xl">
      <Form method="post" className="p-5" onInput={markChanged}>
        <fieldset disabled={isBusy} className="grid gap-5">
          <ProductFields problems={actionData?.problems} />
          <p>
            <Button type="submit">{isBusy ? 'Adding...' : 'Add the product'}</Button>
          </p>
        </fieldset>
      </Form>
    </Card>
  )
}
