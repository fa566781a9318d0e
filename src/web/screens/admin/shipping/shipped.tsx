import { Truck } from '../../../components/icons.tsx'
import type { AdminShipment, ShipmentList } from '#features/shipping/contract/admin-shipments.ts'
import { formatDate } from '../../../format.ts'
import { Tracking } from '../../../tracking.tsx'
import { Card } from '../../../components/card.tsx'
import { Note } from '../../../components/note.tsx'
import { Pager } from '../../../components/pager.tsx'
import { Table, type Column } from '../../../components/table.tsx'
import { StatusBadge } from '../../../status-badge.tsx'
import { AfterShipping } from './after-shipping.tsx'
import { addressColumn, bookColumn, orderColumn, parcelName } from './columns.tsx'

export function Shipped({ page: { items, next } }: { page: ShipmentList }) {
  return (
    <Card>
      {items.length > 0 ? (
        <>
          <Table label="Shipped" rows={items} rowKey={({ purchase_id }) => purchase_id} columns={columns} />
          <Pager next={next} />
        </>
      ) : (
        <Note icon={Truck} title="Nothing shipped yet">
          What you mark as shipped is kept here, with its tracking number.
        </Note>
      )}
    </Card>
  )
}

const columns: Column<AdminShipment>[] = [
  orderColumn,
  addressColumn,
  bookColumn,
  {
    title: 'Shipped',
    cell: ({ shipped_at, purchase_status }) => (
      <span className="flex flex-wrap gap-2 max-sm:justify-end">
        {shipped_at && (
          <time dateTime={shipped_at} className="whitespace-nowrap">
            {formatDate(shipped_at)}
          </time>
        )}
        {purchase_status !== 'completed' && <StatusBadge status={purchase_status} />}
      </span>
    ),
  },
  {
    title: 'Tracking',
    cell: (row) =>
      row.carrier || row.tracking_number ? (
        <span className="min-w-0">
          <Tracking {...row} />
        </span>
      ) : (
        <span className="text-soft">None</span>
      ),
  },
  {
    title: 'Actions',
    align: 'right',
    cell: (row) => (
      <span className="-my-2 inline-flex justify-end">
        <AfterShipping purchase_id={row.purchase_id} name={parcelName(row)} shipment={row} />
      </span>
    ),
  },
]
