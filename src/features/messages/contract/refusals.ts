import { refusals } from '#words/refusals.ts'
import type { Refusals } from '#platform/contract/problems.ts'

export const messageRefusals = {
  'messages.not_found': [404, 'This message is not there any more.'],
  'contact.not_accepted': [422, refusals['contact.not_accepted']],
} as const satisfies Refusals
