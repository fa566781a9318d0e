// A new ebook for the store: its words, its price, its file.
import { useRef, useState, type FormEvent } from 'react'
import { Link, useNavigate } from 'react-router'
import { format as formatSchema, formats, type Format } from '#features/products/contract/products.ts'
import type { AdminProductsApi } from '#features/products/admin-routes.ts'
import { responseOf, adminClient } from '../../../api.ts'
import { useFocusBack } from '../../../focus-back.ts'
import { toast } from '../../../toasts.tsx'
import { Button } from '../../../components/button.tsx'
import { Field, SelectField, TextField } from '../../../components/field.tsx'
import { DigitalTick } from '../products/digital-tick.tsx'
import { ebookFile, FileDrop } from './file-drop.tsx'
import { tellFindings, useUpload } from './use-upload.ts'
import { adminNotices } from '../notices.ts'

const api = adminClient<AdminProductsApi>()
const options = formats.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) }))

export function NewProductForm() {
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const [format, setFormat] = useState<Format>('digital')
  const { file, isBusy, upload, markChanged, markSaved, drop } = useUpload()
  useFocusBack(form, isBusy)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = readFields(new FormData(event.currentTarget))
    if (!fields || !file) return toast(adminNotices.missingInformation)
    // What is wrong with a field is said before the file is sent, not after.
    if (!event.currentTarget.reportValidity()) return
    await upload(file, async (upload_id) => {
      const json = { ...fields, format, upload_id }
      const { editions } = await responseOf(api.products.$post({ json }))
      toast(adminNotices.uploaded)
      tellFindings(editions[0]?.findings)
      markSaved()
      await navigate('/admin')
    })
  }

  return (
    <form
      ref={form}
      noValidate
      className="p-5"
      onInput={markChanged}
      onSubmit={(event) => void submit(event)}
    >
      <fieldset disabled={isBusy} className="grid gap-5">
        <Field label="Title" name="name" maxLength={200} />
        <TextField
          label="Description (optional)"
          name="description"
          rows={3}
          maxLength={2000}
          required={false}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <Field label="Price ($)" name="price" type="number" step="0.01" min="0" inputMode="decimal" />
          <SelectField
            label="Format"
            value={format}
            onChange={({ target }) => setFormat(formatSchema.parse(target.value))}
            options={options}
          />
        </div>
        <DigitalTick format={format} hasDownload />
      </fieldset>
      <div className="mt-5">
        <FileDrop {...ebookFile} {...drop} />
        {(format === 'paperback' || format === 'hardcover') && <NotForPaper />}
      </div>
      <p className="mt-6">
        <Button type="submit" disabled={isBusy}>
          {isBusy ? 'Uploading...' : 'Upload Ebook'}
        </Button>
      </p>
    </form>
  )
}

function NotForPaper() {
  return (
    <p className="mt-3 rounded-md border border-gold/60 bg-gold/10 px-4 py-3 text-sm text-pretty">
      Buyers of a book on paper do not receive this file. To sell one without a file, use{' '}
      <Link to="/admin/products/new" className="rounded-sm font-semibold underline underline-offset-4">
        Add a product
      </Link>
      .
    </p>
  )
}

/** Undefined when something that is needed is missing. */
function readFields(form: FormData) {
  const [name, description, price] = ['name', 'description', 'price'].map((field) => form.get(field))
  if (typeof name !== 'string' || typeof description !== 'string') return undefined
  return name.trim() && price ? { name, description, price: Number(price) } : undefined
}
