import { wasPaid } from '#contract/orders/purchases.ts'
import type { OrderDetail } from '#contract/payments/orders.ts'
import type { OrdersApi } from '#domains/payments/orders.routes.ts'
import { responseOf } from '../../../api.ts'
import { formatMoment, formatMoney } from '../../../format.ts'
import { mailedNotice } from '../../../mailed-notice.ts'
import { Badge } from '../../../components/badge.tsx'
import { Card } from '../../../components/card.tsx'
import { Failed } from '../../../components/failed.tsx'
import { Table, type Column } from '../../../components/table.tsx'
import { DeliveryCard } from './delivery-card.tsx'
import { Dismissed } from './dismissed.tsx'
import { BuyersLink } from '../buyers-link.tsx'
import { EndLinks } from './end-links.tsx'
import { Dispute } from './dispute.tsx'
import { MoveButton, Moves } from './moves.tsx'
import { PurchaseFacts } from './purchase-facts.tsx'
import { hasMoneyLeft, Refund } from './refund.tsx'
import { NeighborLinks } from '../neighbor-links.tsx'
import { CallButton } from '../call-button.tsx'
import { formatNetwork } from '../format-network.ts'
import { adminClient, load } from '../admin-client.ts'
import type { Route } from './+types/purchase.ts'
import { ShipmentCard } from './shipment.tsx'
import { readableAddress } from '../readable-address.ts'

const api = adminClient<OrdersApi>()

export function clientLoader({ params }: Route.ClientLoaderArgs) {
  return load('Failed to fetch purchases', () => responseOf(api.purchases[':id'].$get({ param: params })))
}

export default function PurchasePage({ loaderData: purchase }: Route.ComponentProps) {
  if (!purchase) return <Failed title="The purchase could not be loaded" />
  return (
    <div className="grid gap-6">
      <NeighborLinks label="Purchases" path="/admin/purchases" neighbors={purchase.neighbors} />
      <PurchaseFacts purchase={purchase} />
      <DeliveryCard purchase={purchase}>
        {wasPaid(purchase.status) && <Repairs purchase={purchase} />}
      </DeliveryCard>
      <Moves purchase={purchase} />
      {purchase.dismissed && <Dismissed purchase={purchase} dismissed={purchase.dismissed} />}
      {purchase.dispute && <Dispute purchase_id={purchase.id} dispute={purchase.dispute} />}
      {purchase.shipment && <ShipmentCard purchase={purchase} shipment={purchase.shipment} />}
      {hasMoneyLeft(purchase) && <Refund purchase={purchase} />}
      {purchase.adjustments.length > 0 && (
        <PurchaseTable
          title="Refunds"
          rows={purchase.adjustments}
          columns={adjustmentColumns(purchase.currency)}
        />
      )}
      <PurchaseTable
        title="Emails"
        rows={purchase.mails}
        columns={mailColumns}
        empty="No email was sent yet."
      />
      <PurchaseTable
        title="Downloads"
        rows={purchase.downloads}
        columns={downloadColumns}
        empty="Nothing was downloaded yet."
      />
    </div>
  )
}

const mailLooks = { sent: 'highlighted', kept: 'toned', failed: 'danger' } as const

const mailColumns: Column<OrderDetail['mails'][number]>[] = [
  { title: 'Mail', cell: ({ subject }) => subject },
  {
    title: 'To',
    cell: ({ recipient }) => <span className="wrap-anywhere">{readableAddress(recipient)}</span>,
  },
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

function Repairs({ purchase }: { purchase: OrderDetail }) {
  const { id, mails, email } = purchase
  const hasReceipt = mails.some((mail) => mail.kind === 'receipt' && mail.status === 'sent')
  return (
    <span className="flex flex-wrap gap-2">
      <MoveButton purchase={purchase} />
      {purchase.is_guest && <BuyersLink purchase_id={id} />}
      <EndLinks purchase={purchase} />
      {email && (
        <CallButton
          label={hasReceipt ? 'Send the receipt again' : 'Send the receipt'}
          call={() => responseOf(api.purchases[':id'].receipt.$post({ param: { id } }))}
          done={({ is_on_its_way }) =>
            is_on_its_way
              ? mailedNotice(
                  { title: 'Receipt sent', description: 'It is on its way to the customer.' },
                  { title: 'Receipt saved', description: 'Email is not set up, so it was not sent.' },
                )
              : {
                  title: 'Not sent again',
                  description:
                    'A receipt was written a moment ago. Please wait two minutes before the next one.',
                }
          }
          failed="Couldn’t send"
        />
      )}
    </span>
  )
}

type PurchaseTableProps<Row> = {
  title: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  empty?: string
}

function PurchaseTable<Row extends { id: string }>(props: PurchaseTableProps<Row>) {
  const { title, rows, columns, empty } = props
  return (
    <Card title={title}>
      {rows.length > 0 ? (
        <Table label={title} rows={rows} rowKey={({ id }) => id} columns={columns} />
      ) : (
        <p className="px-5 py-4 text-soft">{empty}</p>
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
  { title: 'From', cell: ({ ip }) => ip && formatNetwork(ip) },
  {
    title: 'With',
    cell: ({ device }) => <span className="text-soft">{device ?? 'an unknown program'}</span>,
  },
]

const adjustmentColumns = (currency: string): Column<OrderDetail['adjustments'][number]>[] => [
  { title: 'When', isOneLine: true, cell: ({ created_at }) => formatMoment(created_at) },
  { title: 'What', cell: ({ kind }) => <span className="capitalize">{kind.replaceAll('_', ' ')}</span> },
  { title: 'Note', cell: ({ note }) => note },
  { title: 'Amount', align: 'right', cell: ({ amount }) => formatMoney(amount, currency) },
]
