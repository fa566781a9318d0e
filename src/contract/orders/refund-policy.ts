// What a purchase promises, in full: for evidence and emails. The home page needs the conditions alone.
import type { RefundTerms } from './purchases.ts'
import { refundConditions } from './refunds.ts'

type Promised = { refund_days: number; refund_terms: RefundTerms }

export function refundPolicy({ refund_days: days, refund_terms }: Promised): string {
  if (days === 0) return 'No refund without a reason was promised with this purchase.'
  return `${days}-day money-back guarantee: within ${days} days of a purchase the buyer may have all of the money back, without giving a reason, by a button on the dashboard or by writing to the author. Access to digital files ends with a full refund. ${refundConditions(refund_terms)}`.trim()
}
