// The screen that uploads an ebook.
import { useEffect, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { type AdminProduct, newProduct } from '#contract/catalog/products.ts'
import { formats, isOnPaper as isPaper } from '#contract/catalog/formats.ts'
import { toast } from '../../../notices/toasts.tsx'
import { Button } from '../../../components/button.tsx'
import { deliveredWhen, EditionFields, releaseDayOf, useNewEdition } from './edition-fields.tsx'
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

/** `onBusy`: the choice of another form waits, for a file on its way belongs to the form that sends it. */
type FormProps = { onBusy: (isBusy: boolean) => void }

function EditionForm({ product, onBusy }: FormProps & { product: AdminProduct }) {
  const navigate = useNavigate()
  const edition = useNewEdition(product)
  useEffect(() => onBusy(edition.isBusy), [edition.isBusy, onBusy])

  const { form } = useForm(asEntered, async () => {
    if (!edition.isChosen) return toast(missingInformation)
    await edition.add(() => navigate('/admin'))
  })
  return (
    <form {...form} noValidate={false} className="grid gap-5 p-5">
      <EditionFields edition={edition} />
      <p>
        <Button type="submit" disabled={edition.isBusy}>
          {edition.isUploading ? 'Uploading...' : 'Upload Ebook'}
        </Button>
      </p>
    </form>
  )
}

function NewProductForm({ onBusy }: FormProps) {
  const navigate = useNavigate()
  const [isOnPaper, setIsOnPaper] = useState(false)
  const { file, upload, markChanged, markSaved, drop } = useUpload()
  const { form, isBusy, problems } = useForm(asEntered, send)
  useEffect(() => onBusy(isBusy), [isBusy, onBusy])

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
    return products.filter((product) => product.archived_at === null && takesFile(product))
  } catch (error) {
    leaveIfRefused(error)
    return []
  }
}

/** A bundle of files of others needs none; its page takes one all the same. */
function takesFile({ editions, release_gap }: AdminProduct): boolean {
  return editions.length > 0 || release_gap === 'no_file' || release_gap === 'empty_bundle'
}

export default function UploadEbook({ loaderData: titles }: Route.ComponentProps) {
  const { is_sample } = useBookFacts()
  // A file for the wrong product reaches its owners at once, so the author of an own book chooses before there is a form.
  const startsNew = is_sample || titles.length === 0
  const [chosen, setChosen] = useState(startsNew ? newProductChoice.value : undefined)
  const [isBusy, setIsBusy] = useState(false)
  const ofTitles = titles.map(choiceOf)
  const choices = startsNew ? [newProductChoice, ...ofTitles] : [...ofTitles, newProductChoice]
  const title = titles.find(({ id }) => id === chosen)
  return (
    <Card title="Upload Ebook" className="max-w-3xl">
      {titles.length > 0 && (
        <FileChoice {...{ choices, chosen, isBusy }} asks={!startsNew} onChoose={setChosen} />
      )}
      {title && <EditionForm key={title.id} product={title} onBusy={setIsBusy} />}
      {chosen === newProductChoice.value && <NewProductForm onBusy={setIsBusy} />}
    </Card>
  )
}

/** `value`: the id of a product, except for a new one. */
type Choice = { value: string; label: string; hint: string }

const newProductChoice: Choice = {
  value: 'product',
  label: 'A new product',
  hint: 'Sold separately. Earlier buyers keep what they have.',
}

function choiceOf(product: AdminProduct): Choice {
  const { id: value, name, editions } = product
  if (editions.length === 0)
    return {
      value,
      label: `The file of ${name}`,
      hint: `Its buyers get it ${deliveredWhen(releaseDayOf(product))}.`,
    }
  return {
    value,
    label: `A new edition of ${name}`,
    hint: 'Replaces the file, also for everybody who has bought it, free of charge.',
  }
}

type FileChoiceProps = {
  choices: readonly Choice[]
  chosen: string | undefined
  asks: boolean
  isBusy: boolean
  onChoose: (value: string) => void
}

function FileChoice({ choices, chosen, asks, isBusy, onChoose }: FileChoiceProps) {
  const id = useId()
  return (
    <fieldset
      disabled={isBusy}
      className="flex flex-wrap gap-x-8 gap-y-3 px-5 py-4 not-last:border-b not-last:border-line"
    >
      <legend className={asks ? 'float-left mb-3 w-full text-soft' : 'sr-only'}>What is the file?</legend>
      {choices.map(({ value, label, hint }) => (
        <div key={value} className="min-w-0 flex-1 basis-64">
          <label className="flex items-start gap-3 font-semibold">
            <input
              type="radio"
              name="file"
              checked={chosen === value}
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
