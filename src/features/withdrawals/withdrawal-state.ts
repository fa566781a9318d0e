// What a buyer is shown of a declaration.
import type { Purchase } from '../purchases/contract/purchases.ts'
import type { Withdrawal } from './contract/withdrawals.ts'
import type { withdrawals } from './schema.ts'

type Row = Pick<typeof withdrawals.$inferSelect, 'declared_at' | 'waits_for' | 'decision' | 'refusal'>
type Payment = Pick<Purchase, 'status' | 'is_going_back'>

export function toWithdrawal({ decision, declared_at, ...row }: Row, payment: Payment): Withdrawal {
  const state = stateOf(decision, payment)
  const refusal = state === 'refused' ? row.refusal : null
  return { declared_at: declared_at.toISOString(), state, waits_for: row.waits_for, refusal }
}

/** Money that went back after all comes before what was decided. */
function stateOf(decision: Row['decision'], { status, is_going_back }: Payment): Withdrawal['state'] {
  if (status === 'refunded') return 'given'
  if (is_going_back) return 'on_its_way'
  if (decision === 'refused') return 'refused'
  return decision === null ? 'waiting' : 'unpaid'
}
