import { useFetcher } from 'react-router'
import { wasPaid } from '#features/purchases/contract/purchases.ts'
import type { OrderDetail } from '#features/orders/contract/orders.ts'
import type { OrdersApi } from '#features/orders/routes.ts'
import { readText } from '../../../form.ts'
import { responseOf } from '../../../api.ts'
import { formatMoney, formatMoment } from '../../../format.ts'
import { mailedNotice } from '../../../mailed-notice.ts'
import { Badge } from '../../../components/badge.tsx'
import { Button } from '../../../components/button.tsx'
import { Card } from '../../../components/card.tsx'
import { Failed } from '../../../components/note.tsx'
import { Table, type Column } from '../../../components/table.tsx'
import { Dismissed } from './dismissed.tsx'
import { Dispute } from './dispute.tsx'
import { PurchaseFacts } from './purchase-facts.tsx'
import { hasMoneyLeft, Refund } from './refund.tsx'
import { adminAction } from '../admin-action.ts'
import { adminClient } from '../admin-client.ts'
import { load } from '../load.ts'
import type { Route } from './+types/purchase.ts'
import { ShipmentCard } from './shipment.tsx'
import { adminNotices, refundRecorded } from '../notices.ts'

export { NotHere as ErrorBoundary } from '../not-here.tsx'

const api = adminClient<OrdersApi>()

export function clientLoader({ params }: Route.ClientLoaderArgs) {
  return load(adminNotices.purchasesFailed, () => responseOf(api.purchases[':id'].$get({ param: params })))
}

export async function clientAction({ params, request }: Route.ClientActionArgs) {
  const form = await request.formData()
  if (!form.has('amount'))
    return adminAction(() => responseOf(api.purchases[':id'].receipt.$post({ param: params })), {
      done: ({ is_on_its_way }) =>
        is_on_its_way
          ? mailedNotice(adminNotices.receiptOnItsWay, adminNotices.receiptKept)
          : adminNotices.receiptJustSent,
      failed: 'Couldn’t send',
    })
  const number = (name: string) => Number(form.get(name))
  const json = { amount: number('amount'), refunded: number('refunded'), reason: readText(form, 'reason') }
  return adminAction(() => responseOf(api.purchases[':id'].refund.$post({ param: params, json })), {
    done: ({ is_by_provider, currency }) =>
      is_by_provider ? adminNotices.refundGiven : refundRecorded(formatMoney(json.amount, currency)),
    failed: 'Couldn’t refund',
  })
}

export default function PurchasePage({ loaderData: purchase }: Route.ComponentProps) {
  if (!purchase) return <Failed title="The purchase could not be loaded" />
  return (
    <div className="grid gap-6">
      <PurchaseFacts purchase={purchase} />
      {purchase.dismissed && <Dismissed purchase={purchase} dismissed={purchase.dismissed} />}
      {purchase.dispute && <Dispute purchase_id={purchase.id} dispute={purchase.dispute} />}
      {purchase.shipment && <ShipmentCard purchase={purchase} shipment={purchase.shipment} />}
      {hasMoneyLeft(purchase) && <Refund purchase={purchase} />}
      {purchase.adjustments.length > 0 && (
        <Card title="Refunds">
          <Table
            label="Refunds"
            rows={purchase.adjustments}
            rowKey={({ id }) => id}
            columns={adjustmentColumns(purchase.currency)}
          />
        </Card>
      )}
      <Mails purchase={purchase} />
      <Card title="Downloads">
        {purchase.downloads.length > 0 ? (
          <Table
            label="Downloads"
            rows={purchase.downloads}
            rowKey={({ id }) => id}
            columns={downloadColumns}
          />
        ) : (
          <p className="px-5 py-4 text-soft">Nothing was downloaded yet.</p>
        )}
      </Card>
    </div>
  )
}

const mailLooks = { sent: 'highlighted', kept: 'toned', failed: 'danger' } as const

const mailColumns: Column<OrderDetail['mails'][number]>[] = [
  { title: 'Mail', cell: ({ subject }) => subject },
  { title: 'To', cell: ({ recipient }) => <span className="wrap-anywhere">{recipient}</span> },
  { title: 'When', isOneLine: true, cell: ({ created_at }) => formatMoment(created_at) },
  {
    title: 'State',
    cell: ({ status, attempts, error }) => (
      <span>
        <Badge look={mailLooks[status]}>{status}</Badge>
        {status === 'kept' && <span className="block text-soft">not sent: email was not set up</span>}
        {attempts > 1 && <span className="text-soft"> after {attempts} tries</span>}
        {error && <span className="block text-danger">{error}</span>}
      </span>
    ),
  },
]

function Mails({ purchase }: { purchase: OrderDetail }) {
  const fetcher = useFetcher()
  const hasReceipt = purchase.mails.some(({ kind, status }) => kind === 'receipt' && status === 'sent')
  return (
    <Card
      title="Emails"
      action={
        wasPaid(purchase.status) && (
          <Button
            look="outline"
            disabled={fetcher.state !== 'idle'}
            onClick={() => void fetcher.submit(null, { method: 'post' })}
          >
            {hasReceipt ? 'Send the receipt again' : 'Send the receipt'}
          </Button>
        )
      }
    >
      {purchase.mails.length > 0 ? (
        <Table label="Emails" rows={purchase.mails} rowKey={({ id }) => id} columns={mailColumns} />
      ) : (
        <p className="px-5 py-4 text-soft">No email was sent yet.</p>
      )}
    </Card>
  )
}

const downloadColumns: Column<OrderDetail['downloads'][number]>[] = [
  { title: 'When', isOneLine: true, cell: ({ started_at }) => formatMoment(started_at) },
  {
    title: 'File',
    cell: ({ file_name }) => <span className="break-all">{file_name}</span>,
  },
  { title: 'From', cell: ({ ip }) => ip ?? '' },
  { title: 'With', cell: ({ user_agent }) => <span className="break-words text-soft">{user_agent}</span> },
]

const adjustmentColumns = (currency: string): Column<OrderDetail['adjustments'][number]>[] => [
  { title: 'When', isOneLine: true, cell: ({ created_at }) => formatMoment(created_at) },
  { title: 'What', cell: ({ kind }) => <span className="capitalize">{kind.replaceAll('_', ' ')}</span> },
  { title: 'Note', cell: ({ note }) => note },
  { title: 'Amount', align: 'right', cell: ({ amount }) => formatMoney(amount, currency) },
]
