// The buttons by which a buyer downloads the files of a purchase.
import { useState } from 'react'
import { dashboardTexts } from '#words/dashboard.ts'
import { fill } from '#words/texts.ts'
import type { FileFormat } from '#contract/catalog/products.ts'
import type { Purchase, PurchasedFile } from '#contract/orders/purchases.ts'
import { save } from '../browser-download.ts'
import { Button } from '../components/button.tsx'
import { Download } from '../components/icons.tsx'
import { failure, ProblemError } from '../notices/send.ts'
import { formatFileSize } from '../format/format.tsx'
import { toast } from '../notices/toasts.tsx'

export type FileChoice = { file_format?: FileFormat; product_id?: string; edition?: number }

export type DownloadsProps = {
  product: Purchase['product']
  /** Asks for the link of a file; of the main one where none is chosen. */
  ask: (file: FileChoice) => Promise<{ url: string }>
  isNamed?: boolean
  /**
   * A download ends what is offered before one: the gift, and with the consent the right of withdrawal. Called for a refusal,
   * too: the purchase has changed since the page was loaded.
   */
  onChanged: () => void
}

/** The main file under the main button; its other forms, and what else a bundle gives, beside it. */
export function Downloads({ product, ask, isNamed = false, onChanged }: DownloadsProps) {
  const { isBusy, download } = useDownload(product.name, onChanged)
  const lost = product.files.filter(({ is_lost }) => is_lost)
  const [main, ...others] = product.files.filter(({ is_lost }) => !is_lost)
  function start(file?: PurchasedFile) {
    if (!product.download_url)
      return toast({
        title: dashboardTexts.downloadError,
        description: dashboardTexts.notAvailable,
        destructive: true,
      })
    void download(() => ask(file ? { file_format: file.file_format, product_id: file.product_id } : {}))
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

/** Milliseconds after which the browser has asked for the file. */
const begunMs = 1_500

/** The statuses of a file that the purchase does not give any more. */
const overStatuses = new Set([404, 409, 410])

/** `name`: of the product. */
export function useDownload(name: string, onChanged: () => void) {
  const [isBusy, setIsBusy] = useState(false)
  async function download(ask: () => Promise<{ url: string }>): Promise<void> {
    setIsBusy(true)
    try {
      const { url } = await ask()
      const { title, description } = dashboardTexts.downloadStarted
      toast({ title, description: fill(description, { product: name }) })
      save(url)
      setTimeout(onChanged, begunMs)
    } catch (error) {
      toast(failure(dashboardTexts.downloadError, error))
      if (error instanceof ProblemError && overStatuses.has(error.status)) onChanged()
    }
    setIsBusy(false)
  }
  return { isBusy, download }
}
