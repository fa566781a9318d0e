// Refusals of catalog.
import { refusals } from '#words/refusals.ts'
import type { Refusals } from '../problems.ts'

export const catalogRefusals = {
  'products.edition_not_found': [404, 'This edition does not exist.'],
  'products.not_found': [404, refusals['products.not_found']],
  'products.not_a_bundle': [422, 'A bundle holds single products that exist, and nothing else does.'],
  'products.archived': [409, 'This product is in the archive. Bring it back first.'],
  'products.no_download': [422, 'A book on paper has no download, so it takes no file.'],
  'stock.sold_out': [409, refusals['stock.sold_out']],
  'stock.not_on_paper': [422, 'Only a book on paper has copies to count.'],
  'stock.changed_meanwhile': [
    409,
    'Copies were sold or came back since this page was loaded. Please look at the number again.',
  ],
  'downloads.lost': [404, refusals['downloads.lost']],
} as const satisfies Refusals
