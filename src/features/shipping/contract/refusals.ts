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
  'shipments.country_needed': [
    422,
    'Please say first to which country it goes: the price of shipping depends on it. Reload the page and press the button again.',
  ],
  'shipments.price_changed': [409, 'The price of shipping has changed. Nothing was bought.'],
  'shipments.other_country': [
    409,
    'Shipping was paid to another country. To have it sent to this one, please write to the author.',
  ],
  'shipments.country_not_served': [422, 'We do not ship to this country.'],
} as const satisfies Refusals
