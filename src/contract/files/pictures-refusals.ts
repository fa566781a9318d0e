import type { Refusals } from '../problems.ts'

export const pictureRefusals = {
  'uploads.not_a_picture': [422, 'Please choose a JPEG, PNG or WebP picture.'],
  'pictures.not_found': [422, 'This picture is no longer stored. Please choose its file again.'],
  'pictures.too_slow': [503, 'The picture was not ready in time. Please try again in a moment.'],
} as const satisfies Refusals
