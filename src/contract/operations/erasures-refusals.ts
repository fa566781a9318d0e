import { refusals } from '#words/refusals.ts'
import type { Refusals } from '../problems.ts'

export const erasureRefusals = {
  'erasures.of_admin': [409, refusals['erasures.of_admin']],
  'users.erased': [409, 'This account was erased. It only stands for its purchases now.'],
  'purchases.buyer_erased': [
    409,
    'The account of this buyer was erased, so there is no address to write to.',
  ],
  'purchases.not_locked': [404, 'The name of this buyer is not locked away.'],
} as const satisfies Refusals
