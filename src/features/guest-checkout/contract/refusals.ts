import type { Refusals } from '#platform/contract/problems.ts'

export const guestCheckoutRefusals = {
  'guest_checkout.not_offered': [409, 'Please sign in to buy this.'],
  'guest_checkout.nothing_to_pay': [
    409,
    'Nothing is to be paid for this, so the shop first has to know that the address is yours. Please sign in or create an account with it.',
  ],
  'guest_checkout.address_unproven': [
    409,
    'Nothing is to be paid for this, so the shop first has to know that the address is yours, and it sends no email yet. If you have an account, please sign in; if not, please write to the author with the contact form.',
  ],
  'guest_checkout.too_many_reservations': [
    429,
    'Two orders of limited copies, or with a limited code, are already waiting to be paid from your network. Please pay one of them, try again in an hour, or sign in to buy.',
  ],
  'guest_checkout.password_not_offered': [
    409,
    'A password can be chosen only for an account that this payment has made, in the browser that bought, until the address is confirmed.',
  ],
  'guest_checkout.access_ended': [
    410,
    'This access has ended. Sign in with the address that you bought with to see your purchase.',
  ],
} as const satisfies Refusals
