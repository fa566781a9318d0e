import type { ReactNode } from 'react'
import type { ExportRequest } from '#features/reports/contract/exports.ts'
import type { ReportsApi } from '#features/reports/routes.ts'
import { responseOf, save } from '../../api.ts'
import { Download } from '../../components/icons.tsx'
import { adminClient } from './admin-client.ts'
import { CallButton } from './call-button.tsx'

const api = adminClient<ReportsApi>()

export function ExportButton({ request, children }: { request: ExportRequest; children: ReactNode }) {
  return (
    <CallButton
      label={
        <>
          <Download aria-hidden className="size-4.5" />
          {children} (CSV)
        </>
      }
      call={async () => save((await responseOf(api.exports.$post({ json: request }))).url)}
      failed="Couldn’t export"
    />
  )
}
