// Chooses the label of the button that asks for a refund.
import { dashboardTexts } from '#words/dashboard.ts'
import { siteTexts } from '#words/site.ts'
import type { RefundRight } from './purchases.ts'

/** Returns the label of the button that asks for a refund: with a right of withdrawal it has the law's words. */
export function refundButton(right: RefundRight | null): string {
  return right === 'law' ? siteTexts.withdraw : dashboardTexts.refund
}
