// The words and the price of a product, for a new one and for one that is there.
import { formats, type Format } from '#contract/products.ts'
import type { ShelfProduct } from '#contract/shelf.ts'
import { Field, SelectField, TextField } from '../../../ui/field.tsx'

const options = formats.map((value) => ({ value, label: value[0]!.toUpperCase() + value.slice(1) }))

type Fields = Pick<ShelfProduct, 'name' | 'description' | 'price' | 'format' | 'is_digital'>

export function ProductFields({
  product,
  problems,
}: {
  product?: Fields
  problems?: Record<string, string> | undefined
}) {
  return (
    <>
      {product && <input type="hidden" name="before" value={JSON.stringify(product)} />}
      <Field
        label="Name"
        name="name"
        maxLength={200}
        defaultValue={product?.name}
        problem={problems?.['name']}
      />
      <TextField
        label="Description"
        name="description"
        rows={3}
        maxLength={2000}
        required={false}
        defaultValue={product?.description}
        problem={problems?.['description']}
      />
      <div className="grid gap-5 sm:grid-cols-2">
        <Field
          label="Price ($)"
          name="price"
          type="number"
          step="0.01"
          min="0"
          inputMode="decimal"
          defaultValue={product?.price.toFixed(2)}
          problem={problems?.['price']}
        />
        <SelectField
          label="Format"
          name="format"
          defaultValue={product?.format ?? 'paperback'}
          options={options}
        />
      </div>
      <label className="flex items-center gap-3 font-semibold">
        <input
          type="checkbox"
          name="is_digital"
          defaultChecked={product?.is_digital ?? false}
          className="size-5 accent-ink"
        />
        Digital product, with a download
      </label>
    </>
  )
}

export function readProductFields(form: FormData): Fields {
  return {
    name: form.get('name') as string,
    description: form.get('description') as string,
    price: Number(form.get('price')),
    format: form.get('format') as Format,
    is_digital: form.has('is_digital'),
  }
}

/** Only what was changed here: somebody else may be at the other fields. */
export function readChangedFields(form: FormData): Partial<Fields> {
  const before = JSON.parse(form.get('before') as string) as Fields
  const now = Object.entries(readProductFields(form)) as [keyof Fields, unknown][]
  return Object.fromEntries(now.filter(([name, value]) => value !== before[name]))
}
