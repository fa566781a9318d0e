import { refusals } from '#words/refusals.ts'
import type { Refusals } from '../problems.ts'

export const discountRefusals = {
  'discounts.not_valid': [422, refusals['discounts.not_valid']],
  'discounts.paused': [409, refusals['discounts.paused']],
  'discounts.other_product': [422, refusals['discounts.other_product']],
  'discounts.used_up': [409, refusals['discounts.used_up']],
  'discounts.too_small': [422, refusals['discounts.too_small']],
  'discounts.code_taken': [
    409,
    'There is a code of this name already. End it first, or choose another name.',
  ],
  'discounts.too_many': [409, 'There are 500 codes that have not been ended. Please end some of them first.'],
  'discounts.not_found': [404, 'We could not find that code.'],
} as const satisfies Refusals
