import { refusals } from '#words/refusals.ts'
import type { Refusals } from '../problems.ts'

export const releaseRefusals = {
  'releases.already_out': [409, 'Readers have this product already, so it cannot wait for a day any more.'],
  'releases.too_late': [422, 'Please choose a day within two years.'],
  'releases.not_awaited': [409, refusals['releases.not_awaited']],
  'releases.link_over': [403, refusals['releases.link_over']],
} as const satisfies Refusals
