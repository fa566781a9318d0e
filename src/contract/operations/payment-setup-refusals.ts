import type { Refusals } from '../problems.ts'

export const paymentSetupRefusals = {
  'payments.not_connected': [409, 'No account at Stripe is connected.'],
  'payments.webhook_refused': [409, 'Stripe does not report payments to this address.'],
  'payments.still_open': [
    409,
    'Some payments to the present account are not finished: they are being paid, refunded, or need attention. Without its key nobody could finish them. Wait until they have ended, a day at most, and resolve what needs attention.',
  ],
} as const satisfies Refusals
