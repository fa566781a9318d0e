import { refusals } from '#words/refusals.ts'
import type { Refusals } from '../problems.ts'

export const setupRefusals = {
  'setup.link_invalid': [403, refusals['setup.link_invalid']],
  'setup.finished': [409, refusals['setup.finished']],
  'setup.opened': [409, 'The shop is open already.'],
  'setup.opening': [409, 'The shop is being opened already. Please wait a moment.'],
  'setup.nothing_for_sale': [422, 'Please choose at least one format to sell.'],
  'setup.chapter_not_found': [
    422,
    'This chapter is not in the file that was read. Please load the page again.',
  ],
} satisfies Refusals
