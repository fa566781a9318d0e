import { refusals } from '#words/refusals.ts'
import type { Refusals } from '../problems.ts'

export const guestCheckoutRefusals = {
  'guest_checkout.not_offered': [409, refusals['guest_checkout.not_offered']],
  'guest_checkout.nothing_to_pay': [409, refusals['guest_checkout.nothing_to_pay']],
  'guest_checkout.address_unproven': [409, refusals['guest_checkout.address_unproven']],
  'guest_checkout.too_many_reservations': [429, refusals['guest_checkout.too_many_reservations']],
  'guest_checkout.other_browser': [403, refusals['guest_checkout.other_browser']],
  'guest_checkout.address_corrected': [409, refusals['guest_checkout.address_corrected']],
  'guest_checkout.address_refused': [409, refusals['guest_checkout.address_refused']],
  'guest_checkout.access_ended': [410, refusals['guest_checkout.access_ended']],
} as const satisfies Refusals
