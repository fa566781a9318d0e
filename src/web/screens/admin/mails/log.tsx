import { useSearchParams } from 'react-router'
import type { LoggedMail, MailLogRequest } from '#contract/mail/mails.ts'
import type { KeptMailsApi } from '#domains/mail/mails.routes.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { Time } from '../../../format.tsx'
import { Badge } from '../../../components/badge.tsx'
import { Mail } from '../../../components/icons.tsx'
import { Note } from '../../../components/note.tsx'
import { FilterSelect, SearchField } from '../../../components/search-field.tsx'
import type { Column } from '../../../components/table.tsx'
import { adminClient, loadPage } from '../admin-client.ts'
import { TableCard } from '../frame.tsx'
import { NameLink, readableAddress } from '../links.tsx'
import type { Route } from './+types/log.ts'
import { mailStates } from './mail-states.ts'

const api = adminClient<KeptMailsApi>()

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return loadPage('Failed to fetch the emails', request, (query: MailLogRequest) =>
    api['mail-log'].$get({ query }),
  )
}

export default function MailLog({ loaderData: page }: Route.ComponentProps) {
  const [search] = useSearchParams()
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap items-center gap-3">
        <SearchField label="Search the emails" placeholder="Email address or #1042" />
        <FilterSelect
          label="State"
          name="status"
          all="Every state"
          options={Object.entries(mailStates).map(([value, { label }]) => ({ value, label }))}
        />
      </div>
      <TableCard
        title="Mail log"
        page={page}
        failed="The emails could not be loaded"
        empty={
          <Note icon={Mail} title={search.size > 0 ? 'Nothing found' : 'No emails yet'}>
            Each email that the shop writes stands here with the mail server’s answer: those of purchases for
            good, all others for 90 days.
          </Note>
        }
        label="Mail log"
        rowKey={({ id }) => id}
        columns={columns}
      />
    </div>
  )
}

const columns: Column<LoggedMail>[] = [
  { title: 'When', isOneLine: true, cell: ({ created_at }) => <Time at={created_at} /> },
  { title: 'Email', cell: ({ id, subject }) => <NameLink to={`/admin/mail-log/${id}`}>{subject}</NameLink> },
  {
    title: 'To',
    cell: ({ recipient }) => <span className="wrap-anywhere">{readableAddress(recipient)}</span>,
  },
  {
    title: 'Order',
    cell: ({ purchase }) =>
      purchase && (
        <NameLink to={`/admin/purchases/${purchase.id}`}>{formatOrderNumber(purchase.number)}</NameLink>
      ),
  },
  {
    title: 'State',
    cell: ({ status, attempts, error }) => (
      <span>
        <Badge look={mailStates[status].look}>{mailStates[status].label}</Badge>
        {status === 'kept' && <span className="block text-soft">not sent: email was not set up</span>}
        {attempts > 1 && <span className="block text-soft">after {attempts} tries</span>}
        {error && <span className="block break-words text-danger">{error}</span>}
      </span>
    ),
  },
]
