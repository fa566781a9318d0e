// Every edition of a product's file, and the way to a new one.
import { useState } from 'react'
import { useRevalidator } from 'react-router'
import type { ShelfProduct } from '#contract/shelf.ts'
import type { ShelfApi } from '#server/api/shelf.ts'
import { deskClient } from '../../../api.ts'
import { failure, notices } from '../../../copy.ts'
import { formatMoment } from '../../../format.ts'
import { toast } from '../../../toasts.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ebookFile, FileDrop } from '../upload/file-drop.tsx'
import { isEbookName, useSendFile } from '../upload/send-file.ts'

const api = deskClient<ShelfApi>()

export function Editions({ product: { id, editions } }: { product: ShelfProduct }) {
  const { revalidate } = useRevalidator()
  const [file, setFile] = useState<File>()
  const { sending, send, cancel } = useSendFile()
  const [isBusy, setIsBusy] = useState(false)

  async function add() {
    if (!file) return toast(notices.missingInformation)
    setIsBusy(true)
    try {
      const upload_id = await send(file)
      if (!upload_id) return
      await api.products[':id'].editions.$post({ param: { id }, json: { upload_id } })
      toast({ title: 'New Edition', description: 'Everybody who owns the book gets it from now on.' })
      setFile(undefined)
      await revalidate()
    } catch (error) {
      toast(failure('Upload Failed', error, 'An unexpected error occurred.'))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Card title="Editions">
      {editions.length > 0 && (
        <ol className="divide-y divide-line border-b border-line">
          {editions.map((edition, at) => (
            <li key={edition.id} className="px-5 py-3">
              <p className="flex flex-wrap items-center gap-2 text-sm tabular-nums">
                <Badge look={isCurrent(editions, at) ? 'highlighted' : 'plain'}>
                  {edition.file_format.toUpperCase()}
                </Badge>
                <span className="text-soft">{formatMoment(edition.created_at)}</span>
                {edition.file_size !== null && (
                  <span className="text-soft">{(edition.file_size / 1024 / 1024).toFixed(2)} MB</span>
                )}
                {isCurrent(editions, at) ? (
                  <span>what owners get</span>
                ) : (
                  <span className="text-soft">kept</span>
                )}
              </p>
              {edition.findings.map((finding) => (
                <p key={finding} className="mt-1 text-sm text-gold-text">
                  {finding}
                </p>
              ))}
            </li>
          ))}
        </ol>
      )}
      <div className="grid gap-4 p-5">
        <FileDrop
          {...ebookFile}
          file={file}
          onFile={(chosen) => (isEbookName(chosen.name) ? setFile(chosen) : toast(notices.notAnEbook))}
          sending={sending}
          onCancel={cancel}
        />
        <p>
          <Button disabled={isBusy || !file} onClick={() => void add()}>
            {isBusy ? 'Uploading...' : 'Make it the new edition'}
          </Button>
        </p>
      </div>
    </Card>
  )
}

/** The newest of its format. */
function isCurrent(editions: ShelfProduct['editions'], at: number): boolean {
  return editions.findIndex(({ file_format }) => file_format === editions[at]!.file_format) === at
}
