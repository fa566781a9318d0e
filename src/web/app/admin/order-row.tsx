import type { ReactNode } from 'react'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import type { Order } from '#contract/orders/admin-orders.ts'
import { NameLink } from './links.tsx'
import { formatDate, formatMoney, Time } from '../../format.tsx'
import { Badge } from '../../components/note.tsx'
import { StatusBadge, TestBadge } from '../../status-badge.tsx'

type OrderRowProps = {
  order: Pick<Order, 'id' | 'number' | 'amount' | 'currency' | 'created_at'>
  product: string
  format?: ReactNode
  buyer: string
  badges: ReactNode
}

export function OrderRow({ order, product, format, buyer, badges }: OrderRowProps) {
  const { id, number, amount, currency, created_at } = order
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 px-5 py-3">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-2">
          <NameLink to={`/admin/purchases/${id}`}>{product}</NameLink>
          {format}
        </p>
        <p className="text-sm break-words text-soft">{buyer}</p>
      </div>
      <p className="flex flex-wrap items-center gap-x-4 gap-y-1 text-sm tabular-nums">
        <span className="text-soft">{formatOrderNumber(number)}</span>
        <span className="font-semibold">{formatMoney(amount, currency)}</span>
        <Time at={created_at} format={formatDate} className="text-soft" />
        {badges}
      </p>
    </li>
  )
}

type OrderBadgesProps = {
  order: Pick<Order, 'status' | 'is_test' | 'is_given' | 'is_received' | 'code'>
}

export function OrderBadges({ order }: OrderBadgesProps) {
  const { status, is_given, is_received, code } = order
  return (
    <span className="inline-flex flex-wrap gap-1.5 max-sm:justify-end">
      <StatusBadge status={status} />
      <TestBadge order={order} />
      {is_given && <Badge>free copy</Badge>}
      {is_received && <Badge>gift</Badge>}
      {code && <Badge>code {code}</Badge>}
    </span>
  )
}
