import type { Refusals } from '#platform/contract/problems.ts'

export const mailRefusals = {
  'mails.not_set_up': [409, 'Email is not set up. Please set a mail server first, in the settings.'],
  'mails.too_old': [410, 'This email is too old to be sent again.'],
} as const satisfies Refusals
