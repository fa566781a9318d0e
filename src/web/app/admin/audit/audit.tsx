// The list of what was changed, and of what readers asked for.
import { Time } from '../../../format/format.tsx'
import { ScrollText } from '../icons.tsx'
import { type AuditEntry, type AuditRequest, describeAction } from '#contract/overview/audit.ts'
import type { AuditApi } from '#domains/reports/reports.routes.ts'
import { responseOf } from '../../../api.ts'
import { eventDetail, formatNetwork, Facts } from '../cells.tsx'
import { adminClient } from '../calls.tsx'
import { defineList } from '../list-screen.tsx'
import { KeptFor } from './kept-for.tsx'

const api = adminClient<AuditApi>()

const list = defineList({
  title: 'Changes and requests',
  load: (query: AuditRequest) => responseOf(api.audit.$get({ query })),
  failed: 'Failed to fetch the log',
  notLoaded: 'The log could not be loaded',
  search: { label: 'Search the log', placeholder: 'Who, what, to whom...' },
  empty: {
    icon: ScrollText,
    title: 'Nothing logged yet',
    text: 'Every change made in the admin area, every refund and every request for one is logged here.',
  },
  about: () => <KeptFor>An entry is kept as long as the shop: nobody can delete one.</KeptFor>,
  emptySearch: { title: 'Nothing found' },
  row: (entry) => <Entry key={entry.id} entry={entry} />,
})

export const clientLoader = list.clientLoader
export default list.Screen

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
