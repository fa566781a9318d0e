// Refusals of payments.
import { refusals } from '#words/refusals.ts'
import type { Refusals } from '../problems.ts'

export const paymentRefusals = {
  'payments.refused': [409, refusals['payments.refused']],
  'payments.not_acceptable': [
    409,
    'Stripe does not have this as a payment for this purchase in the currency of the shop, so it cannot be accepted. Give the money back instead.',
  ],
  'payments.money_gone': [
    409,
    'The money of this payment is not at Stripe any more: it went back to its buyer, or to the buyer’s bank. Nothing was changed.',
  ],
  'payments.nothing_paid': [
    409,
    'Stripe has no payment for this purchase, so there is nothing to give back.',
  ],
  'payments.not_set': [404, 'This shop takes no payments.'],
} as const satisfies Refusals
