import { Link } from 'react-router'
import { formatOrderNumber } from '#features/purchases/contract/order-number.ts'
import type { Order } from '#features/orders/contract/orders.ts'
import { formatDate, formatMoney } from '../../../format.ts'
import { Badge } from '../../../components/badge.tsx'
import type { Column } from '../../../components/table.tsx'
import { OrderBadges } from '../order-badges.tsx'

export const orderColumn: Column<Order> = {
  title: 'Order',
  cell: ({ id, number }) => (
    <Link to={`/admin/purchases/${id}`} className="rounded-sm font-semibold hover:underline">
      {formatOrderNumber(number)}
    </Link>
  ),
}

export const productColumn: Column<Order> = {
  title: 'Product',
  cell: ({ id, product }) => (
    <span className="flex flex-wrap items-center gap-2 max-sm:justify-end">
      <Link to={`/admin/purchases/${id}`} className="rounded-sm font-semibold hover:underline">
        {product.name}
      </Link>
      <Badge>{product.format}</Badge>
    </span>
  ),
}

export const customerColumn: Column<Order> = {
  title: 'Customer',
  cell: ({ user_id, display_name, email }) => (
    <Link to={`/admin/users/${user_id}`} className="rounded-sm wrap-anywhere hover:underline">
      {display_name ?? email}
    </Link>
  ),
}

export const amountColumn: Column<Order> = {
  title: 'Amount',
  align: 'right',
  cell: ({ amount, currency }) => formatMoney(amount, currency),
}

export const dateColumn: Column<Order> = {
  title: 'Date',
  isOneLine: true,
  cell: ({ created_at }) => <time dateTime={created_at}>{formatDate(created_at)}</time>,
}

export const statusColumn: Column<Order> = {
  title: 'Status',
  cell: (order) => <OrderBadges order={order} />,
}
