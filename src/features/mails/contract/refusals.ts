// Refusals of the mails.
import type { Refusals } from '#platform/contract/problems.ts'

export const mailRefusals = {
  'mails.too_old': [410, 'This mail is too old to be sent again.'],
} as const satisfies Refusals
