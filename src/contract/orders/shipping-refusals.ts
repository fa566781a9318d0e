import { refusals } from '#words/refusals.ts'
import type { Refusals } from '../problems.ts'

export const shippingRefusals = {
  'shipments.not_found': [404, refusals['shipments.not_found']],
  'shipments.already_shipped': [409, refusals['shipments.already_shipped']],
  'shipments.not_due': [409, refusals['shipments.not_due']],
  'shipments.not_shipped': [409, 'It has not been shipped yet.'],
  'shipments.too_late_to_undo': [
    409,
    'It was shipped more than a week ago, so this can no longer be undone.',
  ],
  'shipments.country_needed': [422, refusals['shipments.country_needed']],
  'shipments.price_changed': [409, refusals['shipments.price_changed']],
  'shipments.other_country': [409, refusals['shipments.other_country']],
  'shipments.country_not_served': [422, refusals['shipments.country_not_served']],
} as const satisfies Refusals
