// Refusals of readers.
import { refusals } from '#words/refusals.ts'
import type { Refusals } from '../problems.ts'

export const readerRefusals = {
  'messages.not_found': [404, 'This message is not there any more.'],
  'messages.reply_exists': [409, 'Another reply was sent under this id. Reload the page.'],
  'messages.snippets_full': [409, 'There are 20 snippets already. Delete one that you do not need any more.'],
  'messages.snippet_not_found': [404, 'This snippet is not there any more.'],
  'contact.not_accepted': [422, refusals['contact.not_accepted']],
  'purchase_moves.not_movable': [
    409,
    'Only a purchase that is paid, and whose money is not going back, can be moved.',
  ],
  'purchase_moves.same_account': [409, 'The purchase belongs to this address already.'],
  'purchase_moves.account_disabled': [409, 'The account of this address is disabled.'],
  'purchase_moves.link_over': [403, refusals['purchase_moves.link_over']],
} as const satisfies Refusals
