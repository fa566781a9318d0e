import { defineTexts } from './texts.ts'

export const addressTexts = defineTexts('address', {
  optional: '{label} (optional)',
  name: 'Full name',
  street: 'Street and number',
  flat: 'Flat, floor, building',
  city: 'City',
  state: 'State',
  region: 'Region',
  zip: 'ZIP code',
  postalCode: 'Postal code',
  country: 'Country',
  within: 'We ship within: {country}',
  phone: 'Telephone, for the carrier',
  choose: 'Choose…',
})
