import { useId, useState } from 'react'
import type { AdminProductsApi } from '#domains/delivery/products.routes.ts'
import { responseOf } from '../../../api.ts'
import { Card } from '../../../components/card.tsx'
import { adminClient, leaveIfRefused } from '../admin-client.ts'
import type { Route } from './+types/upload.ts'
import { NewEditionForm } from './new-edition-form.tsx'
import { NewProductForm } from './new-product-form.tsx'

const api = adminClient<AdminProductsApi>()

/** Without the products, a new one can still be uploaded. */
export async function clientLoader() {
  try {
    const products = await responseOf(api.products.$get())
    return products.filter(({ format }) => format === 'digital' || format === 'bundle')
  } catch (error) {
    leaveIfRefused(error)
    return []
  }
}

export default function UploadEbook({ loaderData: products }: Route.ComponentProps) {
  const [isEdition, setIsEdition] = useState(false)
  return (
    <Card title="Upload Ebook" className="mx-auto max-w-3xl">
      {products.length > 0 && <Purpose isEdition={isEdition} onChoose={setIsEdition} />}
      {isEdition ? <NewEditionForm products={products} /> : <NewProductForm />}
    </Card>
  )
}

type PurposeProps = { isEdition: boolean; onChoose: (isEdition: boolean) => void }

function Purpose({ isEdition, onChoose }: PurposeProps) {
  const id = useId()
  const choices = [
    {
      isEditionChoice: false,
      label: 'A new product',
      hint: 'Sold separately. Earlier buyers keep what they have.',
    },
    {
      isEditionChoice: true,
      label: 'A new edition of a product',
      hint: 'Replaces the file, also for everybody who has bought it, free of charge.',
    },
  ]
  return (
    <fieldset className="flex flex-wrap gap-x-8 gap-y-2 border-b border-line px-5 py-4">
      <legend className="sr-only">What the file is</legend>
      {choices.map(({ isEditionChoice, label, hint }) => (
        <div key={label} className="min-w-0 flex-1 basis-64">
          <label className="flex items-center gap-3 font-semibold">
            <input
              type="radio"
              name="purpose"
              checked={isEdition === isEditionChoice}
              onChange={() => onChoose(isEditionChoice)}
              aria-describedby={`${id}-${isEditionChoice}`}
              className="tick rounded-full"
            />
            {label}
          </label>
          <p id={`${id}-${isEditionChoice}`} className="mt-0.5 pl-8 text-sm text-pretty text-soft">
            {hint}
          </p>
        </div>
      ))}
    </fieldset>
  )
}
