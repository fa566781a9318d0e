import type { Refusals } from '#platform/contract/problems.ts'

export const editionRefusals = {
  'editions.not_newest': [
    409,
    'A newer file of this format has replaced this edition: tell its owners of that one.',
  ],
} as const satisfies Refusals
