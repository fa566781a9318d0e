import { Time } from '../../../format.tsx'
import { ScrollText } from '../icons.tsx'
import { useSearchParams } from 'react-router'
import { type AuditEntry, type AuditRequest, describeAction } from '#contract/operations/audit.ts'
import type { AuditApi } from '#domains/operations/audit-log.routes.ts'
import { Note } from '../../../components/note.tsx'
import { SearchField } from '../../../components/search-field.tsx'
import { eventDetail, formatNetwork } from '../event-detail.ts'
import { adminClient, loadPage } from '../admin-client.ts'
import { Facts, ListCard } from '../frame.tsx'
import type { Route } from './+types/audit.ts'

const api = adminClient<AuditApi>()

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return loadPage('Failed to fetch the log', request, (query: AuditRequest) => api.audit.$get({ query }))
}

export default function Audit({ loaderData: page }: Route.ComponentProps) {
  const [search] = useSearchParams()
  return (
    <div className="grid gap-5">
      <SearchField label="Search the log" placeholder="Who, what, to whom..." />
      <ListCard
        title="Log"
        page={page}
        failed="The log could not be loaded"
        empty={
          <Note icon={ScrollText} title={search.get('q') ? 'Nothing found' : 'Nothing logged yet'}>
            Every change made in the admin area is logged here permanently, and so is every refund.
          </Note>
        }
      >
        {(entry) => <Entry key={entry.id} entry={entry} />}
      </ListCard>
    </div>
  )
}

function Entry({ entry: { actor, action, subject, detail, ip, created_at } }: { entry: AuditEntry }) {
  const details = eventDetail(detail)
  return (
    <li className="px-5 py-3">
      <p className="break-words">
        <span className="font-semibold">{actor === 'shell' ? 'The command line' : actor}</span>{' '}
        {describeAction(action)} <span className="font-semibold">{subject}</span>
      </p>
      <p className="text-sm text-soft tabular-nums">
        <Time at={created_at} />
        {ip && <span>{` · from ${formatNetwork(ip)}`}</span>}
      </p>
      {details.length > 0 && (
        <details className="mt-1 text-sm">
          <summary className="cursor-pointer rounded-sm text-soft hover:text-ink">Details</summary>
          <Facts
            className="mt-2 gap-x-6 rounded-md bg-ink/5 p-3 sm:grid-cols-[max-content_1fr] [&_dt]:first-letter:uppercase"
            facts={details}
          />
        </details>
      )}
    </li>
  )
}
