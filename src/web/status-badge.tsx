import { statusesTexts } from '#words/statuses.ts'
import type { PurchaseStatus } from '#contract/orders/purchases.ts'
import { Badge } from './components/badge.tsx'

const looks: Partial<Record<PurchaseStatus, 'highlighted' | 'toned' | 'danger'>> = {
  completed: 'highlighted',
  partially_refunded: 'toned',
  refunded: 'toned',
  disputed: 'danger',
}

export function StatusBadge({ status }: { status: PurchaseStatus }) {
  return <Badge look={looks[status] ?? 'plain'}>{statusesTexts[status]}</Badge>
}
