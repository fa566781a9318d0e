// The texts about a field that is not filled in as it should be, in the browser and by the server.
import { defineTexts } from './texts.ts'

export const fieldsTexts = defineTexts('fields', {
  required: 'Please fill in this field.',
  tooLong: 'Please keep this under {max} characters.',
  unprintable: 'It holds characters that cannot be shown.',
  email: 'Please enter a valid email address.',
  foreignAddress:
    'Before the “@”, please use the letters a to z, digits and signs only: this shop cannot send email to other addresses.',
  addressTooLong: 'This address is too long.',
  passwordRule: 'At least {min} characters',
  passwordTooShort: 'Password must be at least {min} characters long.',
  passwordTooLong: 'Please keep the password under {max} characters.',
  country: 'Please choose a country.',
  countryNotServed: 'We do not ship to this country.',
  state: 'Please choose a state.',
  noLinks: 'Links and email addresses cannot be sent here. Put a space after each full stop.',
  zip: 'A ZIP code is five digits.',
  postalCode: 'Please check this postal code. An example ({country}): {example}',
})
