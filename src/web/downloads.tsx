import { dashboardTexts } from '#words/dashboard.ts'
import { fill } from '#words/fill.ts'
import { Download } from './components/icons.tsx'
import { useFetcher } from 'react-router'
import type { Purchase, PurchasedFile } from '#contract/orders/purchases.ts'
import { formatFileSize } from './format.tsx'
import { Button } from './components/button.tsx'
import type { FileFormat } from '#contract/catalog/products.ts'
import { readText } from './form.ts'
import { api, responseOf, save } from './api.ts'
import { failure } from './copy.ts'
import { toast } from './toasts.tsx'

type DownloadsProps = {
  product: Purchase['product']
  purchase_id: string
  isNamed?: boolean
}

/** The main file under the main button; its other forms, and what else a bundle gives, beside it. */
export function Downloads({ product, purchase_id, isNamed = false }: DownloadsProps) {
  const fetcher = useFetcher()
  const lost = product.files.filter(({ is_lost }) => is_lost)
  const [main, ...others] = product.files.filter(({ is_lost }) => !is_lost)
  const isBusy = fetcher.state !== 'idle'
  function start(file?: PurchasedFile) {
    const fields = { purchase_id, name: product.name, has_file: product.download_url ? 'yes' : '' }
    const wantedFile = file && { file_format: file.file_format, product_id: file.product_id }
    void fetcher.submit({ ...fields, ...wantedFile }, { method: 'post' })
  }
  const isOfAnother = (file: PurchasedFile) => file.product_id !== main?.product_id
  const suffix = isNamed ? `: ${product.name}` : ''
  const mainLabel = main ? fill(dashboardTexts.downloadFile, { file: formOf(main) }) : dashboardTexts.download
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:w-full">
      {(main || lost.length === 0) && (
        <Button
          className="max-sm:w-full"
          disabled={isBusy}
          aria-label={mainLabel + suffix}
          onClick={() => start(main)}
        >
          <Download aria-hidden className="size-4.5" />
          {mainLabel}
        </Button>
      )}
      {others.map((file) => {
        const label = isOfAnother(file) ? `${file.title}, ${formOf(file)}` : formOf(file)
        return (
          <Button
            key={file.product_id + file.file_format}
            look="outline"
            className="max-sm:w-full"
            disabled={isBusy}
            aria-label={fill(dashboardTexts.downloadFile, { file: label + suffix })}
            onClick={() => start(file)}
          >
            {label}
          </Button>
        )
      })}
      {lost.length > 0 && <LostFiles files={lost} />}
    </div>
  )
}

function LostFiles({ files }: { files: PurchasedFile[] }) {
  const names = files
    .map(({ title, file_format }) =>
      fill(dashboardTexts.fileName, { title, format: file_format.toUpperCase() }),
    )
    .join(', ')
  return (
    <p className="w-full text-sm text-pretty text-soft sm:max-w-md">
      {fill(files.length === 1 ? dashboardTexts.lostFile : dashboardTexts.lostFiles, { files: names })}
    </p>
  )
}

function formOf({ file_format, file_size }: PurchasedFile): string {
  const format = file_format.toUpperCase()
  return file_size === null ? format : `${format} (${formatFileSize(file_size)})`
}

const fileFormats = ['epub', 'pdf', 'mobi'] as const satisfies FileFormat[]

type FileChoice = { file_format?: FileFormat; product_id?: string; edition?: number }
type Ask = (id: string, file: FileChoice) => Promise<{ url: string }>

const askAsUser: Ask = (id, json) => responseOf(api.purchases[':id'].download.$post({ param: { id }, json }))

/** `ask`: how the link is asked for, where no session does. */
export async function download(form: FormData, ask: Ask = askAsUser): Promise<void> {
  const id = readText(form, 'purchase_id')
  const entered = readText(form, 'file_format')
  const file_format = fileFormats.find((each) => each === entered)
  const product_id = readText(form, 'product_id') || undefined
  const edition = Number(readText(form, 'edition')) || undefined
  if (!form.get('has_file'))
    return toast({
      title: dashboardTexts.downloadError,
      description: dashboardTexts.notAvailable,
      destructive: true,
    })
  try {
    const file = { ...(file_format && { file_format }), ...(product_id && { product_id }) }
    const { url } = await ask(id, { ...file, ...(edition && { edition }) })
    const { title, description } = dashboardTexts.downloadStarted
    toast({ title, description: fill(description, { product: readText(form, 'name') }) })
    save(url)
  } catch (error) {
    toast(failure(dashboardTexts.downloadError, error))
  }
}
