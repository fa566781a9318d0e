import type { ReactNode } from 'react'
import type { ExportRequest } from '#contract/operations/reports.ts'
import type { ReportsApi } from '#domains/operations/reports.routes.ts'
import { responseOf, save } from '../../api.ts'
import { Download } from '../../components/icons.tsx'
import { adminClient } from './admin-client.ts'
import { CallButton } from './call-button.tsx'

const api = adminClient<ReportsApi>()

type ExportButtonProps = { request: ExportRequest; name?: string; children: ReactNode }

export function ExportButton({ request, name, children }: ExportButtonProps) {
  return (
    <CallButton
      {...(name && { name })}
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
