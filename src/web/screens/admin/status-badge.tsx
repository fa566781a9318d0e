// The state of a purchase in a small frame: highlighted when completed.
import type { PurchaseStatus } from '#contract/purchases.ts'
import { Badge } from '../../ui/badge.tsx'

export function StatusBadge({ status }: { status: PurchaseStatus }) {
  return <Badge look={status === 'completed' ? 'highlighted' : 'plain'}>{status.replaceAll('_', ' ')}</Badge>
}
