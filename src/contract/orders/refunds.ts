// What is promised with a purchase. Without zod: the pages of purchases carry this.
import { refundsTexts } from '#words/buying.ts'
import type { RefundTerms } from './purchases.ts'

export function refundConditions(terms: RefundTerms): string {
  return terms === 'always' ? '' : refundsTexts.conditions[terms]
}

export const currentRefundTerms = 'once' satisfies RefundTerms

type Promised = { refund_days: number; refund_terms: RefundTerms }

/** In full: for evidence and emails. The home page needs the conditions alone. */
export function refundPolicy({ refund_days: days, refund_terms }: Promised): string {
  if (days === 0) return 'No refund without a reason was promised with this purchase.'
  return `${days}-day money-back guarantee: within ${days} days of a purchase the buyer may have all of the money back, without giving a reason, by a button on the dashboard or by writing to the author. Access to digital files ends with a full refund. ${refundConditions(refund_terms)}`.trim()
}

/** So long works the link of a receipt, or one that is made on a page. */
export const linkDays = 30
