// The condition of the money-back guarantee, in the words that buyers read before and after they buy.
import type { RefundTerms } from './purchases.ts'

export const refundConditions: Record<RefundTerms, string> = {
  always: '',
  once: 'The money-back guarantee holds once for each product, and a book on paper that was sent comes back to us first.',
}

/** Of purchases that are made now. */
export const currentRefundTerms = 'once' satisfies RefundTerms
