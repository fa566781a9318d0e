import { useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import type { AdminProduct } from '#contract/catalog/admin-products.ts'
import { toast } from '../../../toasts.tsx'
import { Button } from '../../../components/button.tsx'
import { SelectField } from '../../../components/select-field.tsx'
import { EditionFields, useNewEdition } from './edition-fields.tsx'
import { missingInformation } from './use-upload.ts'

/** Chosen by hand: a file for the wrong product reaches its owners at once. */
const none = { value: '', label: 'Choose a product' }

export function NewEditionForm({ products }: { products: AdminProduct[] }) {
  const navigate = useNavigate()
  const [id, setId] = useState('')
  const product = products.find((each) => each.id === id)
  const edition = useNewEdition(product)

  async function submit(event: FormEvent) {
    event.preventDefault()
    if (!product || !edition.isChosen) return toast(missingInformation)
    await edition.add(() => navigate('/admin'))
  }
  return (
    <form className="grid gap-5 p-5" onSubmit={(event) => void submit(event)}>
      <SelectField
        label="Product"
        value={id}
        disabled={edition.isBusy}
        onChange={({ target }) => setId(target.value)}
        options={[none, ...products.map(({ id: value, name }) => ({ value, label: name }))]}
      />
      <EditionFields edition={edition} />
      <p>
        <Button type="submit" disabled={edition.isBusy}>
          {edition.isBusy ? 'Uploading...' : 'Upload Ebook'}
        </Button>
      </p>
    </form>
  )
}
