import type { Refusals } from '../problems.ts'

export const mailSetupRefusals = {
  'mail_setup.no_server': [409, 'No mail server is set yet. Enter one and save it first.'],
} as const satisfies Refusals
