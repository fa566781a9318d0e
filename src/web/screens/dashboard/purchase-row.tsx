// One purchase: what, for how much, when, in which state, and its file.
import { Download } from 'lucide-react'
import { useFetcher } from 'react-router'
import type { FileFormat, Purchase } from '#contract/purchases.ts'
import { formatDate, formatDollars } from '../../format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { RefundButton } from './refund.tsx'
import { ShipmentLine } from './shipment.tsx'

type PurchaseRowProps = { purchase: Purchase; countries: readonly string[] }

export function PurchaseRow({ purchase, countries }: PurchaseRowProps) {
  const { product, amount, status, created_at, shipment } = purchase
  const isPaid = status === 'completed' || status === 'partially_refunded'
  const canDownload = product.is_digital && isPaid
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-8 gap-y-4 p-5 sm:p-6">
      <div className="min-w-0 basis-64 grow">
        <h3 className="font-semibold text-pretty">{product.name}</h3>
        <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-2 text-sm text-soft tabular-nums">
          <span className="font-semibold text-ink">{formatDollars(amount)}</span>
          <time dateTime={created_at}>{formatDate(created_at)}</time>
          <Badge>{product.format}</Badge>
          <Badge look={status === 'completed' ? 'highlighted' : 'plain'}>{status.replaceAll('_', ' ')}</Badge>
        </p>
      </div>
      {canDownload && <Downloads product={product} purchase_id={purchase.id} />}
      {purchase.is_refundable && <RefundButton purchase={purchase} />}
      {shipment && <ShipmentLine purchase={purchase} shipment={shipment} countries={countries} />}
    </li>
  )
}

type DownloadsProps = { product: Purchase['product']; purchase_id: string }

/** The main file under the main button; its other forms beside it, quietly. */
function Downloads({ product, purchase_id }: DownloadsProps) {
  const fetcher = useFetcher()
  const [, ...others] = product.file_formats
  const isBusy = fetcher.state !== 'idle'
  function start(file_format?: FileFormat) {
    const fields = { purchase_id, name: product.name, has_file: product.download_url ? 'yes' : '' }
    void fetcher.submit({ ...fields, ...(file_format && { file_format }) }, { method: 'post' })
  }
  return (
    <div className="flex items-center gap-2 max-sm:w-full">
      <Button
        className="max-sm:grow"
        disabled={isBusy}
        aria-label={`Download ${product.name}`}
        onClick={() => start()}
      >
        <Download aria-hidden className="size-4.5" />
        Download
      </Button>
      {others.map((format) => (
        <Button
          key={format}
          look="outline"
          disabled={isBusy}
          aria-label={`Download ${product.name} as ${format.toUpperCase()}`}
          onClick={() => start(format)}
        >
          {format.toUpperCase()}
        </Button>
      ))}
    </div>
  )
}
