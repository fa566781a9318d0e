// Refusals of delivery.
import { refusals } from '#words/refusals.ts'
import type { Refusals } from '../problems.ts'

export const deliveryRefusals = {
  'downloads.unavailable': [404, refusals['downloads.unavailable']],
  'downloads.not_released': [409, refusals['downloads.not_released']],
  'editions.not_newest': [
    409,
    'A newer file of this format has replaced this edition: tell its owners of that one.',
  ],
  'editions.not_released': [409, 'This product is not out yet: its readers get an email on the day.'],
  'gifts.not_deliverable': [409, 'This product has no file yet, so it cannot be given.'],
  'gifts.not_found': [404, 'This copy was taken back already.'],
  'gifts.opened': [409, 'This copy was opened, or is sent by post already, so it cannot be taken back.'],
  'gifts.code_not_valid': [409, 'This code is not valid any more. Choose another one.'],
  'purchase_gifts.not_givable': [409, refusals['purchase_gifts.not_givable']],
  'purchase_gifts.own_address': [409, refusals['purchase_gifts.own_address']],
  'purchase_gifts.no_mail': [409, refusals['purchase_gifts.no_mail']],
  'purchase_gifts.opened': [409, refusals['purchase_gifts.opened']],
  'purchase_gifts.not_given': [404, refusals['purchase_gifts.not_given']],
  'purchase_gifts.too_late': [422, refusals['purchase_gifts.too_late']],
  'purchase_gifts.too_many': [409, refusals['purchase_gifts.too_many']],
  'purchase_gifts.too_soon': [409, refusals['purchase_gifts.too_soon']],
  'purchase_gifts.link_over': [403, refusals['purchase_gifts.link_over']],
  'releases.already_out': [409, 'Readers have this product already, so it cannot wait for a day any more.'],
  'releases.too_late': [422, 'Please choose a day within two years.'],
  'releases.not_awaited': [409, refusals['releases.not_awaited']],
  'releases.link_over': [403, refusals['releases.link_over']],
} as const satisfies Refusals
