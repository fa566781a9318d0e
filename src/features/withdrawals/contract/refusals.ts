import type { Refusals } from '#platform/contract/problems.ts'

export const withdrawalRefusals = {
  'withdrawals.bound': [409, 'This cannot be refused: the money has to go back.'],
} as const satisfies Refusals
