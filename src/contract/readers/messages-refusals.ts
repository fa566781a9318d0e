import { refusals } from '#words/refusals.ts'
import type { Refusals } from '../problems.ts'

export const messageRefusals = {
  'messages.not_found': [404, 'This message is not there any more.'],
  'messages.reply_exists': [409, 'Another reply was sent under this id. Reload the page.'],
  'messages.snippets_full': [409, 'There are 20 snippets already. Delete one that you do not need any more.'],
  'messages.snippet_not_found': [404, 'This snippet is not there any more.'],
  'contact.not_accepted': [422, refusals['contact.not_accepted']],
} as const satisfies Refusals
