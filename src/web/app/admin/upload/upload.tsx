// The screen that uploads an ebook.
import { useState, useId } from 'react'
import { useNavigate } from 'react-router'
import { type AdminProduct, newProduct } from '#contract/catalog/products.ts'
import { formats, isOnPaper as isPaper } from '#contract/catalog/formats.ts'
import { toast } from '../../../notices/toasts.tsx'
import { Button } from '../../../components/button.tsx'
import { SelectField } from '../../../components/further-fields.tsx'
import { EditionFields, useNewEdition } from './edition-fields.tsx'
import { missingInformation, notifyFindings, useUpload } from '../../use-upload.ts'
import { ebookFile, FileDrop } from '../../file-drop.tsx'
import type { AdminProductsApi } from '#domains/delivery/products.routes.ts'
import { StrongLink } from '../links.tsx'
import { responseOf } from '../../../api.ts'
import { asEntered, checkFields, readText, useForm, type FormResult } from '../../../forms/form.ts'
import { Callout } from '../../../components/note.tsx'
import { ProductFields, readProductFields } from '../products/product-fields.tsx'
import { useBookFacts } from '../../../shop.ts'
import { adminClient, leaveIfRefused } from '../calls.tsx'
import { Card } from '../../card.tsx'
import type { Route } from './+types/upload.ts'

const api = adminClient<AdminProductsApi>()

/** Chosen by hand: a file for the wrong product reaches its owners at once. */
const none = { value: '', label: 'Choose a product' }

type NewEditionFormProps = {
  products: AdminProduct[]
  /** The product, where there is no choice. */
  only: AdminProduct | undefined
}

function NewEditionForm({ products, only }: NewEditionFormProps) {
  const navigate = useNavigate()
  const [id, setId] = useState(only?.id ?? '')
  const product = products.find((each) => each.id === id)
  const edition = useNewEdition(product)

  const { form } = useForm(asEntered, async () => {
    if (!product || !edition.isChosen) return toast(missingInformation)
    await edition.add(() => navigate('/admin'))
  })
  return (
    <form {...form} noValidate={false} className="grid gap-5 p-5">
      {!only && (
        <SelectField
          label="Product"
          value={id}
          disabled={edition.isBusy}
          onChange={({ target }) => setId(target.value)}
          options={[none, ...products.map(({ id: value, name }) => ({ value, label: name }))]}
        />
      )}
      <EditionFields edition={edition} />
      <p>
        <Button type="submit" disabled={edition.isBusy}>
          {edition.isUploading ? 'Uploading...' : 'Upload Ebook'}
        </Button>
      </p>
    </form>
  )
}

function NewProductForm() {
  const navigate = useNavigate()
  const [isOnPaper, setIsOnPaper] = useState(false)
  const { file, upload, markChanged, markSaved, drop } = useUpload()
  const { form, isBusy, problems } = useForm(asEntered, send)

  async function send(entered: FormData): Promise<FormResult> {
    const product = readProductFields(entered)
    // A problem with a field is shown before the file is sent, not after.
    const wrong = checkFields(newProduct, product)
    const isMissing = !product.name.trim() || !readText(entered, 'price') || !file
    if (isMissing) toast(missingInformation)
    if (isMissing || wrong) return { isSaved: false, problems: wrong }
    await upload(file, async (upload_id) => {
      const { editions } = await responseOf(api.products.$post({ json: { ...product, upload_id } }))
      toast({ title: 'Upload Successful', description: 'Ebook has been uploaded and added to the store.' })
      notifyFindings(editions[0]?.findings)
      markSaved()
      await navigate('/admin')
    })
    return { isSaved: false }
  }

  return (
    <form
      {...form}
      className="p-5"
      onInput={({ currentTarget }) => {
        markChanged()
        const format = readText(new FormData(currentTarget), 'format')
        setIsOnPaper(formats.filter(isPaper).some((paper) => paper === format))
      }}
    >
      <fieldset disabled={isBusy} className="grid gap-5">
        <ProductFields isUpload problems={problems} />
      </fieldset>
      <div className="mt-5">
        <FileDrop {...ebookFile} {...drop} />
        {isOnPaper && <NotForPaper />}
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

/** A new product can be uploaded although the list of products is missing. */
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
  const { is_sample } = useBookFacts()
  const own = products.filter(({ archived_at, editions }) => archived_at === null && editions.length > 0)
  // A file of a shop with one book is mostly its new edition, so the author chooses before there is a form.
  const only = !is_sample && own.length === 1 ? own[0] : undefined
  const [purpose, setPurpose] = useState<Purpose | undefined>(only ? undefined : 'product')
  return (
    <Card title="Upload Ebook" className="max-w-3xl">
      {products.length > 0 && <PurposeChoice purpose={purpose} only={only} onChoose={setPurpose} />}
      {purpose === 'edition' && <NewEditionForm products={products} only={only} />}
      {purpose === 'product' && <NewProductForm />}
    </Card>
  )
}

type Purpose = 'edition' | 'product'

type PurposeChoiceProps = {
  purpose: Purpose | undefined
  only: AdminProduct | undefined
  onChoose: (purpose: Purpose) => void
}

function PurposeChoice({ purpose, only, onChoose }: PurposeChoiceProps) {
  const id = useId()
  const edition = {
    value: 'edition',
    label: only ? `A new edition of ${only.name}` : 'A new edition of a product',
    hint: 'Replaces the file, also for everybody who has bought it, free of charge.',
  } as const
  const product = {
    value: 'product',
    label: 'A new product',
    hint: 'Sold separately. Earlier buyers keep what they have.',
  } as const
  const choices = only ? [edition, product] : [product, edition]
  return (
    <fieldset className="flex flex-wrap gap-x-8 gap-y-3 px-5 py-4 not-last:border-b not-last:border-line">
      <legend className={only ? 'float-left mb-3 w-full text-soft' : 'sr-only'}>What is the file?</legend>
      {choices.map(({ value, label, hint }) => (
        <div key={value} className="min-w-0 flex-1 basis-64">
          <label className="flex items-start gap-3 font-semibold">
            <input
              type="radio"
              name="purpose"
              checked={purpose === value}
              onChange={() => onChoose(value)}
              aria-describedby={`${id}-${value}`}
              className="tick mt-0.5 shrink-0 rounded-full"
            />
            <span className="min-w-0 wrap-anywhere">{label}</span>
          </label>
          <p id={`${id}-${value}`} className="mt-0.5 pl-8 text-sm text-pretty text-soft">
            {hint}
          </p>
        </div>
      ))}
    </fieldset>
  )
}
