// Refusals of files.
import type { Refusals } from '../problems.ts'

export const fileRefusals = {
  'uploads.not_an_ebook': [422, 'Please upload a PDF, EPUB, or MOBI file.'],
  'uploads.too_complex': [
    422,
    'This file is more complex than a book needs, so it could not be checked. Please export the book again and upload the new file.',
  ],
  'uploads.busy': [503, 'Other files are being checked. Please try again in a moment.'],
  'uploads.not_a_picture': [422, 'Please choose a JPEG, PNG or WebP picture.'],
  'pictures.not_found': [422, 'This picture is no longer stored. Please choose its file again.'],
  'pictures.too_slow': [503, 'The picture was not ready in time. Please try again in a moment.'],
} as const satisfies Refusals
