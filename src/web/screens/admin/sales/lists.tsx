// Lists to take away: the server hands out a link, and the browser saves what comes, however long it is.
import { Download } from 'lucide-react'
import { useState } from 'react'
import type { ExportRequest } from '#contract/exports.ts'
import type { ExportsApi } from '#server/api/exports.ts'
import { answerOf, deskClient } from '../../../api.ts'
import { failure } from '../../../copy.ts'
import { save } from '../../../save.ts'
import { toast } from '../../../toasts.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'

const api = deskClient<ExportsApi>()

type Days = { from: string; to: string }

export function Lists({ days }: { days: Days | undefined }) {
  const [isBusy, setIsBusy] = useState(false)
  async function take(request: ExportRequest) {
    setIsBusy(true)
    try {
      save((await answerOf(api.exports.$post({ json: request }))).url)
    } catch (error) {
      toast(failure('Export Failed', error))
    } finally {
      setIsBusy(false)
    }
  }
  const lists: { title: string; request: ExportRequest }[] = [
    ...(days ? [{ title: 'Purchases of these days', request: { list: 'purchases' as const, ...days } }] : []),
    { title: 'All purchases', request: { list: 'purchases' } },
    { title: 'All users', request: { list: 'users' } },
  ]
  return (
    <Card title="Lists to take away">
      <div className="flex flex-wrap gap-3 px-5 pt-4">
        {lists.map(({ title, request }) => (
          <Button key={title} look="outline" disabled={isBusy} onClick={() => void take(request)}>
            <Download aria-hidden className="size-4.5" />
            {title} (CSV)
          </Button>
        ))}
      </div>
      <p className="px-5 pt-3 pb-4 text-sm text-soft">
        For any spreadsheet. Refunded purchases are in them too, with what was kept in a column of its own.
      </p>
    </Card>
  )
}
