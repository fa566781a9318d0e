// Refusals of book.
import type { Refusals } from '../problems.ts'

export const bookRefusals = {
  'book.changed_elsewhere': [409, 'The book was changed elsewhere meanwhile.'],
  'book.unfinished': [422, 'Some fields need your attention before this can be published.'],
  'book.nothing_to_publish': [409, 'Nothing has changed since the last version was published.'],
  'book.ebook_not_found': [404, 'There is no such chapter in an EPUB of this shop.'],
  'book.preview_not_ready': [
    503,
    'The preview was not ready in time. Please try again in a moment; if that fails too, shorten the text.',
  ],
  'book.version_not_found': [404, 'There is no such version.'],
} as const satisfies Refusals
