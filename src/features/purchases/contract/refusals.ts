import type { Refusals } from '#platform/contract/problems.ts'

export const purchaseRefusals = {
  'purchases.not_found': [404, 'We could not find that purchase.'],
  'purchases.not_for_sale': [409, 'The book cannot be bought yet. It will be available soon.'],
  'purchases.key_reused': [
    409,
    'This purchase was already sent with other contents. Reload the page and try again.',
  ],
  'purchases.not_completed': [409, 'This purchase is not completed, so it has no download.'],
  'purchases.checkout_ended': [
    409,
    'This checkout has ended. Please press the button again to start a new one.',
  ],
  'purchases.not_refundable': [409, 'This purchase cannot be refunded any more. Please write to the author.'],
  'purchases.address_needed': [422, 'Please tell us where to send it.'],
  'purchases.consent_needed': [
    422,
    'Please agree to instant delivery first. If you did, its words have changed: reload the page, and press the button under the format again.',
  ],
  'purchases.not_paid': [409, 'Nothing was paid for this purchase, so it has no receipt.'],
  'purchases.refund_too_large': [422, 'That is more than is left of this purchase.'],
  'purchases.refunded_meanwhile': [
    409,
    'Money has gone back since this page was loaded. Please look at what is left.',
  ],
} as const satisfies Refusals
