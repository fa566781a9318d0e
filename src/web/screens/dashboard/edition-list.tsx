import { dashboardTexts } from '#words/dashboard.ts'
import { fill } from '#words/fill.ts'
import { useState } from 'react'
import { useFetcher } from 'react-router'
import type { OwnEdition } from '#contract/delivery/editions.ts'
import type { Purchase } from '#contract/orders/purchases.ts'
import { api, responseOf } from '../../api.ts'
import { failure } from '../../copy.ts'
import { formatDate } from '../../format.ts'
import { Time } from '../../time.tsx'
import { toast } from '../../toasts.tsx'
import { Button } from '../../components/button.tsx'
import { Spinner } from '../../components/spinner.tsx'

/** All editions, with what changed; asked for when it is opened. Nothing where there is one of each file. */
export function EditionList({ purchase: { id, product } }: { purchase: Purchase }) {
  const [editions, setEditions] = useState<OwnEdition[]>()
  if (!product.files.some(({ edition }) => edition > 1)) return null

  async function loadOnce() {
    if (editions) return
    try {
      setEditions((await responseOf(api.purchases[':id'].editions.$get({ param: { id } }))).items)
    } catch (error) {
      toast(failure(dashboardTexts.editions.failed, error))
    }
  }
  return (
    <details className="w-full" onToggle={({ currentTarget }) => currentTarget.open && void loadOnce()}>
      <summary className="inline-flex min-h-8 cursor-pointer items-center rounded-sm text-sm text-soft underline underline-offset-4 hover:text-ink">
        {dashboardTexts.editions.summary}
      </summary>
      {editions ? (
        <ol className="mt-2 divide-y divide-line text-sm">
          {editions.map((edition) => (
            <EditionRow
              key={edition.product_id + edition.file_format + edition.edition}
              edition={edition}
              purchase={{ id, name: product.name }}
              isNewest={product.files.some((file) => isSameFile(file, edition))}
            />
          ))}
        </ol>
      ) : (
        <Spinner />
      )}
    </details>
  )
}

type FileOfEdition = Pick<OwnEdition, 'product_id' | 'file_format' | 'edition'>

const isSameFile = (one: FileOfEdition, other: FileOfEdition) =>
  one.product_id === other.product_id &&
  one.file_format === other.file_format &&
  one.edition === other.edition

type EditionRowProps = {
  edition: OwnEdition
  purchase: { id: string; name: string }
  isNewest: boolean
}

function EditionRow({ edition: found, purchase, isNewest }: EditionRowProps) {
  const fetcher = useFetcher()
  const { title, file_format, product_id, edition, changes, created_at, is_lost } = found
  const texts = dashboardTexts.editions
  const name = fill(texts.edition, { edition, format: file_format.toUpperCase() })
  const fields = { purchase_id: purchase.id, name: purchase.name, has_file: 'yes' }
  const start = () => void fetcher.submit({ ...fields, product_id, file_format, edition }, { method: 'post' })
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-3">
      <div className="min-w-0 basis-60 grow">
        <p className="flex flex-wrap gap-x-3 tabular-nums">
          <span className="font-semibold">{name}</span>
          {title !== purchase.name && <span className="break-words">{title}</span>}
          <Time at={created_at} format={formatDate} />
          {isNewest && <span className="text-soft">{texts.newest}</span>}
        </p>
        {changes && <p className="mt-1 max-w-prose break-words whitespace-pre-line text-soft">{changes}</p>}
      </div>
      {!is_lost && (
        <Button
          look="outline"
          disabled={fetcher.state !== 'idle'}
          aria-label={fill(dashboardTexts.downloadFile, { file: name })}
          onClick={start}
        >
          {dashboardTexts.download}
        </Button>
      )}
    </li>
  )
}
