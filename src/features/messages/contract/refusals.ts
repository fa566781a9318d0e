import type { Refusals } from '#platform/contract/problems.ts'

export const messageRefusals = {
  'messages.not_found': [404, 'This message is not there any more.'],
  'contact.not_accepted': [422, 'This message could not be accepted.'],
} as const satisfies Refusals
