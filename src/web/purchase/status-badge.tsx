// The badge that shows the state of a purchase.
import { statusesTexts } from '#words/buying.ts'
import type { PurchaseStatus } from '#contract/orders/purchase-status.ts'
import { Badge } from '../components/note.tsx'
import { controlsTexts } from '#words/site.ts'

const looks: Partial<Record<PurchaseStatus, 'highlighted' | 'toned' | 'danger'>> = {
  completed: 'highlighted',
  partially_refunded: 'toned',
  refunded: 'toned',
  disputed: 'danger',
}

export function StatusBadge({ status }: { status: PurchaseStatus }) {
  return <Badge look={looks[status] ?? 'plain'}>{statusesTexts[status]}</Badge>
}

export function TestBadge({ order: { is_test } }: { order: { is_test: boolean } }) {
  return is_test ? <Badge look="toned">{controlsTexts.test}</Badge> : null
}
