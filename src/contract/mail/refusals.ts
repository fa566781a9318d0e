// Refusals of mail.
import type { Refusals } from '../problems.ts'

export const mailRefusals = {
  'mail_setup.no_server': [409, 'No mail server is set yet. Enter one and save it first.'],
  'mails.not_set_up': [409, 'Email is not set up. Please set a mail server first, in the settings.'],
  'mails.not_repeatable': [
    409,
    'This email was of use at its time only, or its purchase was refunded: it is not sent again.',
  ],
  'mails.just_sent': [409, 'It was sent a moment ago. Please wait two minutes before the next one.'],
  'mails.too_old': [410, 'This email is too old to be sent again.'],
} as const satisfies Refusals
