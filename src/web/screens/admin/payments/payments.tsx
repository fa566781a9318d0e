import { CircleCheck } from '../icons.tsx'
import { useRouteLoaderData } from 'react-router'
import type {
  DismissableKind,
  AttentionList,
  AttentionRequest,
} from '#features/payments/contract/needs-attention.ts'
import type { AttentionApi } from '#features/payments/attention-routes.ts'
import type { WithdrawalsApi } from '#features/payments/withdrawal-routes.ts'
import { responseOf, searchQuery } from '../../../api.ts'
import { readChoice, readText } from '../../../form.ts'
import type { Toast } from '../../../toasts.tsx'
import { Card } from '../../../components/card.tsx'
import { Failed, Note } from '../../../components/note.tsx'
import { Pager } from '../../../components/pager.tsx'
import type { clientLoader as frameLoader } from '../admin.tsx'
import { adminAction } from '../admin-action.ts'
import { adminClient } from '../admin-client.ts'
import { load } from '../load.ts'
import type { Route } from './+types/payments.ts'
import { Faults } from './faults.tsx'
import { NeedRow } from './attention-row.tsx'
import { adminNotices } from '../notices.ts'

export { NotHere as ErrorBoundary } from '../not-here.tsx'

const api = adminClient<AttentionApi>().payments
const withdrawals = adminClient<WithdrawalsApi>().payments.withdrawal[':id']
const refunds = adminClient<WithdrawalsApi>('Refund').payments.withdrawal[':id']

export function clientLoader({ request }: Route.ClientLoaderArgs) {
  const query = searchQuery<AttentionRequest>(new URL(request.url).searchParams)
  return load(adminNotices.needsFailed, () => responseOf(api.$get({ query })))
}

type Asked = { kind: DismissableKind; id: string; note: string }

const dismissableKinds = [
  'held',
  'refund',
  'refund_failed',
  'event',
  'mail',
  'outage',
] as const satisfies DismissableKind[]

const actions: Record<string, (asked: Asked) => Promise<Toast>> = {
  async check({ id }) {
    const { status } = await responseOf(api.held[':id'].check.$post({ param: { id } }))
    if (!status) return adminNotices.heldStillWaits
    return status === 'canceled' ? adminNotices.heldCanceled : adminNotices.heldCompleted
  },
  async accept({ id }) {
    await api.held[':id'].accept.$post({ param: { id } })
    return adminNotices.heldAccepted
  },
  async refund({ id }) {
    await api.held[':id'].refund.$post({ param: { id } })
    return adminNotices.heldGivenBack
  },
  async again({ kind, id }) {
    await (kind === 'mail' ? api.mail : api.event)[':id'].again.$post({ param: { id } })
    return adminNotices.triedAgain
  },
  async dismiss({ kind, id, note }) {
    await api[':kind'][':id'].dismissal.$post({ param: { kind, id }, json: { note } })
    return adminNotices.dismissed
  },
}

function giveBack(form: FormData) {
  const param = { id: readText(form, 'id') }
  return adminAction(() => responseOf(refunds.refund.$post({ param, json: {} })), {
    done: adminNotices.refundGiven,
    failed: 'Couldn’t refund',
  })
}

function refuse(form: FormData) {
  const [param, json] = [{ id: readText(form, 'id') }, { sentence: readText(form, 'sentence') }]
  return adminAction(() => responseOf(withdrawals.refuse.$post({ param, json })), {
    done: adminNotices.withdrawalRefused,
    failed: 'Couldn’t refuse',
  })
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData()
  if (readText(form, 'adminAction') === 'giveBack') return giveBack(form)
  if (readText(form, 'adminAction') === 'refuse') return refuse(form)
  const kind = readChoice(form, 'kind', dismissableKinds)
  const action = actions[readText(form, 'adminAction')]
  if (!kind || !action) return null
  const asked = { kind, id: readText(form, 'id'), note: readText(form, 'note') }
  return adminAction(() => action(asked), { done: (notice) => notice, failed: 'Couldn’t do that' })
}

export default function NeedsYou({ loaderData: page }: Route.ComponentProps) {
  const payments = useRouteLoaderData<typeof frameLoader>('screens/admin/admin')?.needs?.payments ?? 'test'
  return (
    <div className="grid gap-6">
      {page && <Faults faults={page.faults} payments={payments} />}
      {!(page && page.faults.length > 0 && page.items.length === 0) && <Waiting page={page} />}
    </div>
  )
}

function Waiting({ page }: { page: AttentionList | undefined }) {
  return (
    <Card title="Needs attention">
      {!page && <Failed title="What needs attention could not be loaded" />}
      {page?.items.length === 0 && (
        <Note icon={CircleCheck} title="Nothing needs attention">
          Disputes, payments that do not match, buyers who want a refund, refunds that did not go through,
          emails that could not be sent and failing backups appear here.
        </Note>
      )}
      {page && page.items.length > 0 && (
        <>
          <ul className="divide-y divide-line">
            {page.items.map((need) => (
              <NeedRow key={`${need.kind} ${need.id}`} need={need} />
            ))}
          </ul>
          <Pager next={page.next} />
        </>
      )}
    </Card>
  )
}
