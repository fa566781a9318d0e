import type { Order } from '#contract/payments/orders.ts'
import { Badge } from '../../components/badge.tsx'
import { StatusBadge } from '../../status-badge.tsx'
import { TestBadge } from '../../test-badge.tsx'

type OrderBadgesProps = {
  order: Pick<Order, 'status' | 'is_test' | 'is_trial' | 'is_given' | 'is_received' | 'code'>
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
