import { refusals } from '#words/refusals.ts'
import type { Refusals } from '../problems.ts'

export const downloadRefusals = {
  'downloads.unavailable': [404, refusals['downloads.unavailable']],
  'downloads.not_released': [409, refusals['downloads.not_released']],
  'downloads.lost': [404, refusals['downloads.lost']],
  'downloads.link_expired': [410, refusals['downloads.link_expired']],
  'downloads.session_ended': [403, refusals['downloads.session_ended']],
} as const satisfies Refusals
