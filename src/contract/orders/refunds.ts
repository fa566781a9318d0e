import { refundsTexts } from '#words/refunds.ts'
import type { RefundTerms } from './purchases.ts'

export function refundConditions(terms: RefundTerms): string {
  return terms === 'always' ? '' : refundsTexts.conditions[terms]
}

export const currentRefundTerms = 'once' satisfies RefundTerms
