// The state of a purchase in a small frame: highlighted when completed, as danger while its money is disputed.
import type { PurchaseStatus } from '#contract/purchases.ts'
import { Badge } from './ui/badge.tsx'

const looks: Partial<Record<PurchaseStatus, 'highlighted' | 'danger'>> = {
  completed: 'highlighted',
  disputed: 'danger',
}

export function StatusBadge({ status }: { status: PurchaseStatus }) {
  return <Badge look={looks[status] ?? 'plain'}>{status.replaceAll('_', ' ')}</Badge>
}
