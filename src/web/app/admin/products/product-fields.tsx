// The fields of a product, and what it lacks for a sale.
import { useState } from 'react'
import {
  contentsLines,
  format as formatSchema,
  type Product,
  type Release,
  newProduct,
  productChange,
  type AdminProduct,
  type DeliveryGap,
} from '#contract/catalog/products.ts'
import { type Format, formats } from '#contract/catalog/formats.ts'
import { isOtherTitle } from '#contract/catalog/product-name.ts'
import type { FieldProblems } from '#contract/field-rules.ts'
import { checkFields, readText, type Checked } from '../../../forms/form.ts'
import { currencySign, toDecimal } from '../../../format/format.tsx'
import { Field, TextField } from '../../../components/field.tsx'
import { SelectField } from '../../../components/further-fields.tsx'
import { PriceField, readPrice } from '../price-field.tsx'
import { useCurrency, type BookFacts } from '../../../shop.ts'
import { readSaleFields, SaleFields, saleOf, type SaleDraft } from './sale-fields.tsx'

const hints: Record<Format, string> = {
  digital: 'Its buyers download its file. Until it has one, it is for sale only as a pre-order.',
  paperback: 'It goes by post. Its buyers have nothing to download.',
  hardcover: 'It goes by post. Its buyers have nothing to download.',
  bundle: 'Its buyers get what its parts hold, and its own file if it has one.',
}

const formatOptions = formats.map((value) => ({
  value,
  label: value.charAt(0).toUpperCase() + value.slice(1),
}))

/** As it is saved. */
export function draftOf(product: AdminProduct): ProductDraft {
  const { name, description, contents, price, format } = product
  return { name, description, contents, price, format, ...saleOf(product) }
}

type ProductFieldsProps = {
  product?: AdminProduct
  /** It is made of the file that is uploaded with it. */
  isUpload?: boolean
  problems: FieldProblems | undefined
}

export function ProductFields({ product, isUpload = false, problems }: ProductFieldsProps) {
  const [format, setFormat] = useState<Format>(product?.format ?? (isUpload ? 'digital' : 'paperback'))
  const currency = useCurrency()
  const wrongLine = Object.keys(problems ?? {}).find((field) => field.startsWith('contents'))
  return (
    <>
      <Field
        label={isUpload ? 'Title' : 'Name'}
        name="name"
        defaultValue={product?.name}
        problem={problems?.['name']}
      />
      <TextField
        label={isUpload ? 'Description (optional)' : 'Description'}
        name="description"
        rows={3}
        required={false}
        defaultValue={product?.description}
        problem={problems?.['description']}
      />
      {!isUpload && (
        <TextField
          label="What is in it"
          hint={`A line for each thing, ${contentsLines} lines at most. Files, formats and shipping are listed by themselves.`}
          name="contents"
          rows={4}
          required={false}
          defaultValue={product?.contents.join('\n')}
          problem={wrongLine && problems?.[wrongLine]}
        />
      )}
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
          hint={hints[format]}
          name="format"
          value={format}
          onChange={({ target }) => setFormat(formatSchema.parse(target.value))}
          options={formatOptions}
          problem={problems?.['format']}
        />
      </div>
      <SaleFields product={product} first={isUpload ? 'now' : 'not_yet'} problem={problems?.['release_on']} />
    </>
  )
}

export function readProductFields(form: FormData, product?: AdminProduct): ProductDraft {
  return {
    ...readSaleFields(form, product),
    name: readText(form, 'name'),
    description: readText(form, 'description'),
    contents: readText(form, 'contents')
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean),
    price: readPrice(readText(form, 'price')),
    format: formatSchema.parse(form.get('format')),
  }
}

export function checkNewProduct(form: HTMLFormElement): Checked<ProductDraft> {
  const values = readProductFields(new FormData(form))
  const problems = checkFields(newProduct, values)
  return problems ? { problems } : { values }
}

/** Returns only what was changed here: another admin may edit the other fields. */
export function checkChanges(product: AdminProduct, form: HTMLFormElement): Checked<Partial<ProductDraft>> {
  const before: Record<string, unknown> = draftOf(product)
  const isChanged = ([name, value]: [string, unknown]) =>
    JSON.stringify(value) !== JSON.stringify(before[name])
  const entered = readProductFields(new FormData(form), product)
  const values = Object.fromEntries(Object.entries(entered).filter(isChanged))
  const problems = Object.keys(values).length > 0 ? checkFields(productChange, values) : undefined
  return problems ? { problems } : { values }
}

type OfferedProduct = Pick<AdminProduct, 'id' | 'format' | 'parts' | 'editions'>

/**
 * Lists the formats in capitals, the parts' first. A book on paper gives none, also where a file was uploaded for it.
 */
export function offeredFormats(product: OfferedProduct, all: readonly OfferedProduct[]): string[] {
  const parts = all.filter(({ id }) => product.parts.includes(id))
  const formats = [...parts, product]
    .filter(({ format }) => format === 'digital' || format === 'bundle')
    .flatMap(({ editions }) => editions.map(({ file_format }) => file_format.toUpperCase()))
  return [...new Set(formats)]
}

export function draftProduct(
  draft: ProductDraft,
  saved: AdminProduct | undefined,
  all: readonly AdminProduct[],
): Product {
  const isBundle = draft.format === 'bundle'
  const parts = isBundle ? all.filter(({ id }) => saved?.parts.includes(id)) : []
  const holds = formats.filter((format) => parts.some((part) => part.format === format))
  const own = draft.format === 'digital' || isBundle ? (saved?.editions ?? []) : []
  const digital = parts.filter(({ format }) => format === 'digital')
  const files = [...digital.flatMap(({ editions }) => editions), ...own]
  const bookFiles = digital.length > 0 ? files.filter((file) => !own.includes(file)) : files
  const { is_for_sale: _, release_on, ...fields } = draft
  const release = releaseOf(release_on, saved)
  return {
    ...fields,
    id: saved?.id ?? '',
    name: draft.name.trim(),
    is_digital: draft.format === 'digital' || files.length > 0,
    ships: draft.format !== 'digital' && (parts.length === 0 || parts.length > digital.length),
    is_sold_out: saved?.is_sold_out ?? false,
    cover_url: saved?.cover_url ?? null,
    cover: saved?.cover ?? null,
    ...(release && { release }),
    ...(!canDeliver(draft, saved) && { is_available_soon: true }),
    parts: parts.map(({ id }) => id),
    holds,
    file_formats: [...new Set(bookFiles.map(({ file_format }) => file_format))],
    bonuses: digital.length > 0 ? newestTitles(own) : [],
  }
}

/** A part of a bundle may come out later than what is chosen here. */
function releaseOf(release_on: string | null, saved: AdminProduct | undefined): Release | null {
  const ofPart = saved?.pending_release?.on === saved?.release_on ? null : (saved?.pending_release ?? null)
  return release_on ? { on: release_on, is_partial: false } : ofPart
}

function newestTitles(editions: AdminProduct['editions']): string[] {
  const newest = editions.filter(
    ({ file_format }, at) => editions.findIndex((each) => each.file_format === file_format) === at,
  )
  return [...new Set(newest.map(({ title }) => title))]
}

export type ProductDraft = SaleDraft &
  Pick<AdminProduct, 'name' | 'description' | 'contents' | 'price' | 'format'>

/** `NaN` is no price; 0 is one. */
export const emptyDraft: ProductDraft = {
  name: '',
  description: '',
  contents: [],
  price: NaN,
  format: 'paperback',
  is_for_sale: false,
  release_on: null,
}

type Step = {
  label: string
  hint?: string
  isDone: boolean
  /** Says why it may be for sale without it. */
  notYet?: string
}

export function saleChecklist(
  draft: ProductDraft,
  product: AdminProduct | undefined,
  book: Pick<BookFacts, 'title' | 'is_sample'>,
): Step[] {
  const steps: Step[] = [
    { label: 'A name', isDone: draft.name.trim() !== '' },
    priceStep(draft.price),
    deliverySteps[draft.format](product, draft),
    {
      label: 'A description',
      isDone: draft.description.trim() !== '',
      notYet: 'worth having',
      hint: 'Buyers read it on the card.',
    },
  ]
  // While the page still shows the sample, the author's own book is another title than that.
  const isOther = draft.name.trim() !== '' && !book.is_sample && isOtherTitle(draft, book.title)
  return isOther ? [...steps, coverStep(product)] : steps
}

export function missingSteps(steps: readonly Step[]): number {
  return steps.filter(({ isDone, notYet }) => !isDone && !notYet).length
}

function priceStep(price: number): Step {
  const isDone = Number.isFinite(price) && price >= 0
  return { label: 'A price', isDone, ...(price === 0 && { hint: 'It is free.' }) }
}

function coverStep(product: AdminProduct | undefined): Step {
  const isDone = Boolean(product?.cover)
  const hint = product
    ? 'Choose it under “Cover image”. Until then the card shows the book’s cover.'
    : 'You choose it once the product is added. Until then the card shows the book’s cover.'
  return { label: 'A cover of its own', isDone, notYet: 'worth having', ...(!isDone && { hint }) }
}

const onPaper = (): Step => ({
  label: 'A book on paper',
  isDone: true,
  hint: 'It goes by post and needs no file.',
})

const deliverySteps: Record<Format, (product: AdminProduct | undefined, draft: ProductDraft) => Step> = {
  digital(product, draft) {
    const isDelivered = product?.format === 'digital' && product.release_gap === null
    const isDone = isDelivered || (product !== undefined && product.editions.length > 0)
    const hint = product ? 'Upload it under “Editions”.' : 'You upload it once the product is added.'
    const notYet = draft.release_on === null ? undefined : 'needed by the day of the release'
    return { label: 'A file', isDone, ...(notYet && { notYet }), ...(!isDone && { hint }) }
  },
  paperback: onPaper,
  hardcover: onPaper,
  bundle(product, draft) {
    const gap = product?.release_gap
    const isNotYetNeeded = draft.release_on !== null && gap === 'part_without_file'
    const isDone = product?.format === 'bundle' && (gap === null || isNotYetNeeded)
    const hints = {
      part_without_file: 'One of its products has no file yet.',
      none:
        product?.format === 'bundle'
          ? 'Tick them under “In this bundle”.'
          : 'You choose them once it is saved.',
    }
    const hint = gap === 'part_without_file' ? hints.part_without_file : hints.none
    return { label: 'Products in it', isDone, ...(!isDone && { hint }) }
  },
}

const gaps: Record<DeliveryGap, string> = {
  no_file: 'it has no file yet',
  part_without_file: 'a part of it has no file yet',
  lost_file: 'a file was lost in a restore; upload it again',
  empty_bundle: 'it holds nothing yet',
}

export const gapWords = (gap: DeliveryGap) => `Not for sale: ${gaps[gap]}`

/** What keeps the product off the page, if it is saved as it is typed. */
export function draftGapWords(draft: ProductDraft, saved: AdminProduct | undefined): string | undefined {
  const known = saved?.format === draft.format ? saved : undefined
  const isLost = known?.delivery_gap === 'lost_file'
  if (!isLost && canDeliver(draft, saved)) return undefined
  const other = draft.format === 'bundle' ? 'empty_bundle' : 'no_file'
  const gap = isLost ? 'lost_file' : (known?.release_gap ?? other)
  return `Not on the page: ${gaps[gap]}.`
}

const canDeliver = (draft: ProductDraft, saved: AdminProduct | undefined) =>
  missingSteps([deliverySteps[draft.format](saved, draft)]) === 0
