import { refusals } from '#words/refusals.ts'
import type { Refusals } from '../problems.ts'

export const stockRefusals = {
  'stock.sold_out': [409, refusals['stock.sold_out']],
  'stock.not_on_paper': [422, 'Only a book on paper has copies to count.'],
  'stock.changed_meanwhile': [
    409,
    'Copies were sold or came back since this page was loaded. Please look at the number again.',
  ],
} as const satisfies Refusals
