import { ScrollText } from '../icons.tsx'
import { useSearchParams } from 'react-router'
import type { AuditEntry, AuditRequest } from '#features/audit/contract/audit.ts'
import { describeAction } from '#features/audit/contract/audit-actions.ts'
import type { AuditApi } from '#features/audit/routes.ts'
import { responseOf, searchQuery } from '../../../api.ts'
import { formatMoment } from '../../../format.ts'
import { Note } from '../../../components/note.tsx'
import { SearchField } from '../../../components/search-field.tsx'
import { eventDetail } from '../event-detail.ts'
import { adminClient } from '../admin-client.ts'
import { ListCard } from '../list-card.tsx'
import { load } from '../load.ts'
import type { Route } from './+types/audit.ts'
import { adminNotices } from '../notices.ts'

export { NotHere as ErrorBoundary } from '../not-here.tsx'

const api = adminClient<AuditApi>()

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  const query = searchQuery<AuditRequest>(new URL(request.url).searchParams)
  return load(adminNotices.logFailed, () => responseOf(api.audit.$get({ query })))
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
        {(items) => (
          <ol className="divide-y divide-line">
            {items.map((entry) => (
              <Entry key={entry.id} entry={entry} />
            ))}
          </ol>
        )}
      </ListCard>
    </div>
  )
}

function Entry({ entry: { actor, action, subject, detail, ip, created_at } }: { entry: AuditEntry }) {
  const details = eventDetail(detail)
  return (
    <li className="px-5 py-3">
      <p className="break-words">
        <span className="font-semibold">{actor}</span> {describeAction(action)}{' '}
        <span className="font-semibold">{subject}</span>
      </p>
      <p className="text-sm text-soft tabular-nums">
        <time dateTime={created_at}>{formatMoment(created_at)}</time>
        {ip && ` · from ${ip}`}
      </p>
      {details.length > 0 && (
        <details className="mt-1 text-sm">
          <summary className="cursor-pointer rounded-sm text-soft hover:text-ink">Details</summary>
          <dl className="mt-2 grid gap-x-6 gap-y-1 rounded-md bg-ink/5 p-3 sm:grid-cols-[max-content_1fr]">
            {details.map(([name, words]) => (
              <div key={name} className="contents">
                <dt className="text-soft first-letter:uppercase">{name}</dt>
                <dd className="min-w-0 break-words">{words}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </li>
  )
}
