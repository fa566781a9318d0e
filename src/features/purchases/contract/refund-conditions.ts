import type { RefundTerms } from './purchases.ts'

export const refundConditions: Record<RefundTerms, string> = {
  always: '',
  once: 'The money-back guarantee holds once for each product, and a book on paper that was sent comes back to us first.',
}

export const currentRefundTerms = 'once' satisfies RefundTerms
