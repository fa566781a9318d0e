import { useState } from 'react'
import { contentsLines, format as formatSchema, formats, type Format } from '#contract/catalog/products.ts'
import { adminProduct, type AdminProduct } from '#contract/catalog/admin-products.ts'
import type { FieldProblems } from '#contract/field-problems.ts'
import { readText } from '../../../form.ts'
import { currencySign, toDecimal } from '../../../format.ts'
import { Field, TextField } from '../../../components/field.tsx'
import { SelectField } from '../../../components/select-field.tsx'
import { PriceField } from '../price-field.tsx'
import { DigitalTick } from './digital-tick.tsx'
import type { ProductDraft } from './sale-checklist.ts'
import { useCurrency } from '../../../shop.ts'

export const formatOptions = formats.map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}))

const fieldValues = adminProduct.pick({
  name: true,
  description: true,
  contents: true,
  price: true,
  format: true,
})

type ProductFieldsProps = {
  product?: AdminProduct
  problems?: FieldProblems | undefined
}

export function ProductFields({ product, problems }: ProductFieldsProps) {
  const [format, setFormat] = useState<Format>(product?.format ?? 'paperback')
  const currency = useCurrency()
  const wrongLine = Object.keys(problems ?? {}).find((field) => field.startsWith('contents'))
  return (
    <>
      {product && <input type="hidden" name="before" value={JSON.stringify(fieldValues.parse(product))} />}
      <Field label="Name" name="name" defaultValue={product?.name} problem={problems?.['name']} />
      <TextField
        label="Description"
        name="description"
        rows={3}
        required={false}
        defaultValue={product?.description}
        problem={problems?.['description']}
      />
      <TextField
        label="What is in it"
        hint={`A line for each thing, ${contentsLines} lines at most. Files, formats and shipping are listed by themselves.`}
        name="contents"
        rows={4}
        required={false}
        defaultValue={product?.contents.join('\n')}
        problem={wrongLine && problems?.[wrongLine]}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <PriceField
          currency={currency}
          label={`Price (${currencySign(currency)})`}
          name="price"
          defaultValue={product && toDecimal(product.price, currency)}
          problem={problems?.['price']}
        />
        <SelectField
          label="Format"
          name="format"
          value={format}
          onChange={({ target }) => setFormat(formatSchema.parse(target.value))}
          options={formatOptions}
          problem={problems?.['format']}
        />
      </div>
      <DigitalTick format={format} hasDownload={product?.format === 'bundle' && product.is_digital} />
    </>
  )
}

export function readProductFields(form: FormData): ProductDraft {
  return {
    name: readText(form, 'name'),
    description: readText(form, 'description'),
    contents: readText(form, 'contents')
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
    price: readPrice(form),
    format: formatSchema.parse(form.get('format')),
  }
}

/** `NaN` where nothing is entered: an empty price is not free. */
export function readPrice(form: FormData): number {
  const price = readText(form, 'price')
  return price ? Number(price) : NaN
}

/** Only what was changed here: another admin may edit the other fields. */
export function readChangedFields(form: FormData): Partial<ProductDraft> {
  const before: Record<string, unknown> = fieldValues.parse(JSON.parse(readText(form, 'before')))
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name])
  return Object.fromEntries(Object.entries(readProductFields(form)).filter(isChanged))
}
