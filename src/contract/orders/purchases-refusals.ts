import { refusals } from '#words/refusals.ts'
import type { Refusals } from '../problems.ts'

export const purchaseRefusals = {
  'purchases.not_found': [404, refusals['purchases.not_found']],
  'purchases.not_for_sale': [409, refusals['purchases.not_for_sale']],
  'purchases.key_reused': [409, refusals['purchases.key_reused']],
  'purchases.not_completed': [409, refusals['purchases.not_completed']],
  'purchases.checkout_ended': [409, refusals['purchases.checkout_ended']],
  'purchases.not_refundable': [409, refusals['purchases.not_refundable']],
  'purchases.address_needed': [422, refusals['purchases.address_needed']],
  'purchases.consent_needed': [422, refusals['purchases.consent_needed']],
  'purchases.not_paid': [409, refusals['purchases.not_paid']],
  'purchases.refund_too_large': [422, 'That is more than is left of this purchase.'],
  'purchases.refunded_meanwhile': [
    409,
    'Money has gone back since this page was loaded. Please look at what is left.',
  ],
} as const satisfies Refusals
