import { CircleCheck } from '../icons.tsx'
import { useRouteLoaderData } from 'react-router'
import type { AttentionRequest } from '#contract/payments/needs-attention.ts'
import type { AttentionApi } from '#domains/payments/attention.routes.ts'
import { Note } from '../../../components/note.tsx'
import type { clientLoader as adminLoader } from '../admin.tsx'
import { adminClient, loadPage } from '../admin-client.ts'
import { ListCard } from '../list-card.tsx'
import type { Route } from './+types/payments.ts'
import { Faults } from './faults.tsx'
import { NeedRow } from './attention-row.tsx'

const api = adminClient<AttentionApi>().payments

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  return loadPage('Failed to fetch what needs attention', request, (query: AttentionRequest) =>
    api.$get({ query }),
  )
}

export default function NeedsAttention({ loaderData: page }: Route.ComponentProps) {
  const payments = useRouteLoaderData<typeof adminLoader>('screens/admin/admin')?.counts?.payments ?? 'test'
  return (
    <div className="grid gap-6">
      {page && <Faults faults={page.faults} payments={payments} />}
      {!(page && page.faults.length > 0 && page.items.length === 0) && (
        <ListCard
          title="Needs attention"
          page={page}
          failed="What needs attention could not be loaded"
          empty={
            <Note icon={CircleCheck} title="Nothing needs attention">
              Disputes, payments that do not match, buyers who want a refund, refunds that did not go through,
              emails that could not be sent and failing backups appear here.
            </Note>
          }
        >
          {(need) => <NeedRow key={`${need.kind} ${need.id}`} need={need} />}
        </ListCard>
      )}
    </div>
  )
}
