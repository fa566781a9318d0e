import type { Refusals } from '../problems.ts'

export const giftRefusals = {
  'gifts.not_deliverable': [409, 'This product has no file yet, so it cannot be given.'],
  'gifts.code_not_valid': [409, 'This code is not valid any more. Choose another one.'],
} as const satisfies Refusals
