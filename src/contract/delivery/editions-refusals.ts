import type { Refusals } from '../problems.ts'

export const editionRefusals = {
  'editions.not_newest': [
    409,
    'A newer file of this format has replaced this edition: tell its owners of that one.',
  ],
  'editions.not_released': [409, 'This product is not out yet: its readers get an email on the day.'],
} as const satisfies Refusals
