// What a parcel is called, and the columns of the lists of parcels.
import type { AdminShipment } from '#contract/orders/admin-orders.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { addressLines } from '#contract/orders/postal.ts'
import { Badge } from '../../../components/note.tsx'
import { TestBadge } from '../../../purchase/status-badge.tsx'
import type { Column } from '../../table.tsx'
import { NameLink } from '../links.tsx'

export type Parcel = Pick<AdminShipment, 'purchase_id' | 'address' | 'is_test' | 'updated_at'> & {
  name: string
}

function recipientOf({ address, display_name, email }: AdminShipment): string {
  return address?.name ?? display_name ?? email
}

export function parcelName(row: AdminShipment): string {
  return `${formatOrderNumber(row.number)} · ${recipientOf(row)}`
}

export const orderColumn: Column<AdminShipment> = {
  title: 'Order',
  cell: ({ purchase_id, number }) => (
    <NameLink to={`/admin/purchases/${purchase_id}`}>{formatOrderNumber(number)}</NameLink>
  ),
}

export const bookColumn: Column<AdminShipment> = {
  title: 'Book',
  cell: (parcel) => (
    <span className="flex flex-wrap items-center gap-2 max-sm:justify-end">
      <NameLink to={`/admin/purchases/${parcel.purchase_id}`}>{parcel.product_name}</NameLink>
      <Badge>{parcel.format}</Badge>
      <TestBadge order={parcel} />
    </span>
  ),
}

export const addressColumn: Column<AdminShipment> = {
  title: 'To',
  cell: ({ address, display_name, email }) => {
    if (!address) {
      return (
        <span className="min-w-0">
          <span className="font-semibold text-danger">No address yet</span>
          <span className="block break-words text-soft">{display_name ?? email}</span>
        </span>
      )
    }
    const [name, ...lines] = addressLines(address)
    return (
      <span className="min-w-0">
        <span className="font-semibold">{name}</span>
        <span className="block break-words text-soft">{lines.join(', ')}</span>
      </span>
    )
  },
}
