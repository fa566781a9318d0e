import { refusals } from '#words/refusals.ts'
import type { Refusals } from '../problems.ts'

export const purchaseMoveRefusals = {
  'purchase_moves.not_movable': [
    409,
    'Only a purchase that is paid, and whose money is not going back, can be moved.',
  ],
  'purchase_moves.same_account': [409, 'The purchase belongs to this address already.'],
  'purchase_moves.account_disabled': [409, 'The account of this address is disabled.'],
  'purchase_moves.link_over': [403, refusals['purchase_moves.link_over']],
} as const satisfies Refusals
