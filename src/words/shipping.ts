import { defineTexts } from './texts.ts'

export const shippingTexts = defineTexts('shipping', {
  shipping: 'Shipping',
  shippingTo: 'Shipping to {country}',
})
