import { defineTexts } from './texts.ts'

export const cardsTexts = defineTexts('cards', {
  bestValue: 'Best Value',
  save: 'Save {amount}',
  free: 'Free',
  insteadOf: 'instead of',
  soon: 'Available soon',
  nothingToShip: 'Nothing to ship: yours at once',
  pdf: 'PDF',
  epub: 'EPUB for your reading device',
  mobi: 'MOBI for older Kindles',
  fileSeparator: ', and ',
  instantDownload: 'Instant download',
  bonus: 'Exclusive bonus: {title}',
  shipsFree: 'Ships free to your door',
  shipping: 'Plus {price} shipping',
  shippingUpTo: 'Shipping free or up to {price}, by country',
  shippingFrom: 'Plus shipping from {price}',
  get: 'Get {product}',
  buy: 'Buy {product}',
})
