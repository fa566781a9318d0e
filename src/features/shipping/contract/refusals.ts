// Refusals of shipping.
import type { Refusals } from '#platform/contract/problems.ts'

export const shippingRefusals = {
  'shipments.not_found': [404, 'There is nothing to ship for this purchase.'],
  'shipments.already_shipped': [409, 'It is on its way already, so its address cannot be changed any more.'],
  'shipments.not_due': [409, 'This purchase is not paid for any more, so it is not shipped.'],
  'shipments.not_shipped': [409, 'It has not been shipped yet.'],
  'shipments.too_late_to_undo': [
    409,
    'It was shipped more than a week ago, so this can no longer be undone.',
  ],
  'shipments.country_not_served': [422, 'We do not ship to this country.'],
} as const satisfies Refusals
