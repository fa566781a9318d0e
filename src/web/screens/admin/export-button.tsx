import { Download } from '../../components/icons.tsx'
import { useState, type ReactNode } from 'react'
import type { ExportRequest } from '#features/reports/contract/exports.ts'
import type { ReportsApi } from '#features/reports/routes.ts'
import { responseOf, save } from '../../api.ts'
import { failure } from '../../copy.ts'
import { toast } from '../../toasts.tsx'
import { Button } from '../../components/button.tsx'
import { adminClient } from './admin-client.ts'

const api = adminClient<ReportsApi>()

type ExportButtonProps = { request: ExportRequest; className?: string; children: ReactNode }

export function ExportButton({ request, className, children }: ExportButtonProps) {
  const [isBusy, setIsBusy] = useState(false)
  async function take() {
    setIsBusy(true)
    try {
      save((await responseOf(api.exports.$post({ json: request }))).url)
    } catch (error) {
      toast(failure('Couldn’t export', error))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Button look="outline" className={className} disabled={isBusy} onClick={() => void take()}>
      <Download aria-hidden className="size-4.5" />
      {children} (CSV)
    </Button>
  )
}
