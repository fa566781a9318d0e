import { Link } from 'react-router'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import type { Order } from '#contract/orders/admin-orders.ts'
import { NameLink, readableAddress } from '../links.tsx'
import { Time, formatDate, formatMoney } from '../../../format.tsx'
import { Badge } from '../../../components/note.tsx'
import type { Column } from '../../../components/table.tsx'
import { OrderBadges } from '../order-row.tsx'

export const customerColumn: Column<Order> = {
  title: 'Customer',
  cell: ({ user_id, display_name, email }) =>
    user_id === null ? (
      <span className="wrap-anywhere">{readableAddress(email)}</span>
    ) : (
      <Link to={`/admin/users/${user_id}`} className="rounded-sm wrap-anywhere hover:underline">
        {display_name ?? readableAddress(email)}
      </Link>
    ),
}

export const orderColumns: Column<Order>[] = [
  {
    title: 'Order',
    cell: ({ id, number }) => <NameLink to={`/admin/purchases/${id}`}>{formatOrderNumber(number)}</NameLink>,
  },
  {
    title: 'Product',
    cell: ({ id, product }) => (
      <span className="flex flex-wrap items-center gap-2 max-sm:justify-end">
        <NameLink to={`/admin/purchases/${id}`}>{product.name}</NameLink>
        <Badge>{product.format}</Badge>
      </span>
    ),
  },
  customerColumn,
  { title: 'Amount', align: 'right', cell: ({ amount, currency }) => formatMoney(amount, currency) },
  { title: 'Date', isOneLine: true, cell: ({ created_at }) => <Time at={created_at} format={formatDate} /> },
  { title: 'Status', cell: (order) => <OrderBadges order={order} /> },
]
