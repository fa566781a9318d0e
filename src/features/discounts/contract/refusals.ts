import type { Refusals } from '#platform/contract/problems.ts'

export const discountRefusals = {
  'discounts.not_valid': [422, 'This code is not valid, or not any more.'],
  'discounts.paused': [
    409,
    'This code is paused for the moment. Nothing was bought. Please try again later, or write to the author.',
  ],
  'discounts.other_product': [422, 'This code is not for this product.'],
  'discounts.used_up': [409, 'This code was used as often as it can be. Nothing was bought.'],
  'discounts.too_small': [422, 'With this code the price would be less than can be charged.'],
  'discounts.code_taken': [
    409,
    'There is a code of this name already. End it first, or choose another name.',
  ],
  'discounts.too_many': [409, 'There are 500 codes that have not been ended. Please end some of them first.'],
  'discounts.not_found': [404, 'We could not find that code.'],
} as const satisfies Refusals
