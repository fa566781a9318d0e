import { refusals } from '#words/refusals.ts'
import type { Refusals } from '../problems.ts'

export const withdrawalRefusals = {
  'withdrawals.bound': [409, 'This cannot be refused: the money has to go back.'],
  'withdrawals.link_over': [403, refusals['withdrawals.link_over']],
  'withdrawals.not_offered': [409, refusals['withdrawals.not_offered']],
} as const satisfies Refusals
