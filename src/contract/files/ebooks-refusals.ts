import type { Refusals } from '../problems.ts'

export const ebookRefusals = {
  'uploads.not_an_ebook': [422, 'Please upload a PDF, EPUB, or MOBI file.'],
  'uploads.too_complex': [
    422,
    'This file is more complex than a book needs, so it could not be checked. Please export the book again and upload the new file.',
  ],
  'uploads.busy': [503, 'Other files are being checked. Please try again in a moment.'],
} as const satisfies Refusals
