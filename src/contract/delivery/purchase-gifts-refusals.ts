import { refusals } from '#words/refusals.ts'
import type { Refusals } from '../problems.ts'

export const purchaseGiftRefusals = {
  'purchase_gifts.not_givable': [409, refusals['purchase_gifts.not_givable']],
  'purchase_gifts.own_address': [409, refusals['purchase_gifts.own_address']],
  'purchase_gifts.no_mail': [409, refusals['purchase_gifts.no_mail']],
  'purchase_gifts.opened': [409, refusals['purchase_gifts.opened']],
  'purchase_gifts.not_given': [404, refusals['purchase_gifts.not_given']],
  'purchase_gifts.too_late': [422, refusals['purchase_gifts.too_late']],
  'purchase_gifts.too_many': [409, refusals['purchase_gifts.too_many']],
  'purchase_gifts.too_soon': [409, refusals['purchase_gifts.too_soon']],
  'purchase_gifts.link_over': [403, refusals['purchase_gifts.link_over']],
} as const satisfies Refusals
