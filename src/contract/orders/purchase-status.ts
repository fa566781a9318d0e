// The statuses of a purchase. Without schemas: pages read them that check no form.
import type { Cents } from '../money.ts'

export const purchaseStatuses = [
  'pending',
  'completed',
  'partially_refunded',
  'refunded',
  'canceled',
  'disputed',
] as const
export type PurchaseStatus = (typeof purchaseStatuses)[number]

export function wasPaid(status: PurchaseStatus): boolean {
  return status !== 'pending' && status !== 'canceled'
}

/** `is_completed` in SQL. */
export function isCompleted(status: PurchaseStatus): boolean {
  return status === 'completed' || status === 'partially_refunded'
}

export function leftOf({ amount, refunded }: { amount: Cents; refunded: Cents }): Cents {
  return amount - refunded
}
