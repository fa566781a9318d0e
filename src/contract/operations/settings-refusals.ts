import type { Refusals } from '../problems.ts'

export const settingsRefusals = {
  'settings.changed': [
    409,
    'Another admin has changed these settings meanwhile. What you entered is still here: load the page again to see theirs.',
  ],
  'settings.currency_fixed': [
    409,
    'The shop has sold in another currency already, and all its sums are in that one.',
  ],
  'settings.fixed': [409, 'The environment of the shop sets this. Remove its variable to set it here.'],
} as const satisfies Refusals
