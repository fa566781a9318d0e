import { useRef, useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { format as formatSchema, type Format } from '#contract/catalog/products.ts'
import { newProduct } from '#contract/catalog/admin-products.ts'
import type { AdminProductsApi } from '#domains/delivery/products.routes.ts'
import type { FieldProblems } from '#contract/field-problems.ts'
import { StrongLink } from '../text-link.tsx'
import { responseOf } from '../../../api.ts'
import { checkFields } from '../../../check-fields.ts'
import { readText } from '../../../form.ts'
import { currencySign } from '../../../format.ts'
import { useFocusBack, useFocusWrong } from '../../../focus-back.ts'
import { toast } from '../../../toasts.tsx'
import { Callout } from '../../../components/callout.tsx'
import { Button } from '../../../components/button.tsx'
import { Field, TextField } from '../../../components/field.tsx'
import { SelectField } from '../../../components/select-field.tsx'
import { PriceField } from '../price-field.tsx'
import { DigitalTick } from '../products/digital-tick.tsx'
import { formatOptions, readPrice } from '../products/product-fields.tsx'
import { ebookFile, FileDrop } from './file-drop.tsx'
import { missingInformation, notifyFindings, useUpload } from './use-upload.ts'
import { adminClient } from '../admin-client.ts'
import { useCurrency } from '../../../shop.ts'

const api = adminClient<AdminProductsApi>()

export function NewProductForm() {
  const currency = useCurrency()
  const navigate = useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const [format, setFormat] = useState<Format>('digital')
  const [problems, setProblems] = useState<FieldProblems>()
  const { file, isBusy, upload, markChanged, markSaved, drop } = useUpload()
  useFocusBack(form, isBusy)
  useFocusWrong(form, problems)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const written = new FormData(event.currentTarget)
    const text = (name: string) => readText(written, name)
    const product = {
      name: text('name'),
      description: text('description'),
      price: readPrice(written),
      format,
    }
    // What is wrong with a field is shown before the file is sent, not after.
    const wrong = checkFields(newProduct, product)
    setProblems(wrong)
    if (!product.name.trim() || !text('price') || !file) return toast(missingInformation)
    if (wrong) return
    await upload(file, async (upload_id) => {
      const { editions } = await responseOf(api.products.$post({ json: { ...product, upload_id } }))
      toast({ title: 'Upload Successful', description: 'Ebook has been uploaded and added to the store.' })
      notifyFindings(editions[0]?.findings)
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
        <Field label="Title" name="name" problem={problems?.['name']} />
        <TextField
          label="Description (optional)"
          name="description"
          rows={3}
          required={false}
          problem={problems?.['description']}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <PriceField
            currency={currency}
            label={`Price (${currencySign(currency)})`}
            name="price"
            problem={problems?.['price']}
          />
          <SelectField
            label="Format"
            value={format}
            onChange={({ target }) => setFormat(formatSchema.parse(target.value))}
            options={formatOptions}
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
    <Callout className="mt-3">
      Buyers of a book on paper do not receive this file. To sell one without a file, use{' '}
      <StrongLink to="/admin/products/new">Add a product</StrongLink>.
    </Callout>
  )
}
