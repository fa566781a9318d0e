// Products and their formats, buying one, its shipping and its states, and waiting for one that is not out.
import { defineTexts } from './texts.ts'

export const buyingTexts = defineTexts('buying', {
  purchaseFailed: 'Purchase Failed',
  signInFirst: {
    title: 'Authentication Required',
    description: 'Please sign in to purchase this product',
  },
  succeeded: 'Purchase Successful!',
  succeededDigital: 'You have successfully purchased {product}. Check your email for download instructions.',
  succeededWithoutEmail: 'You have successfully purchased {product}. Its download is among your purchases.',
  succeededPrinted: 'You have successfully purchased {product}. We will process your order shortly.',
  succeededPreorder: 'You have successfully purchased {product}. It comes out on {date}.',
  ownedTitle: 'You have this one already',
  ownedText: '{product} is among your books. Would you like to buy another copy?',
  paidText:
    'You have paid for {product} with the address {email} already, and nothing was charged now. Would you like to buy another copy?',
  keepOne: 'Keep the one I have',
  buyAnother: 'Buy another',
  beforeYouBuy: 'Before you buy',
  soldByLink:
    'You buy this file from Link, a company of Stripe, which takes your payment and sends you the invoice.',
  deliveredAtOnce: '{product} is delivered at once, as a download.',
  partDeliveredAtOnce: 'The digital part of {product} is delivered at once, as a download.',
  tickBox: 'Please tick the box: without it the shop may not deliver before the withdrawal period is over.',
  agree: 'Agree and buy',
  where: 'Where shall we send it?',
  buyAndShip: 'Buy and ship here',
  comesFree:
    '{product} comes to your door, free of charge. You can correct the address until it is on its way.',
  comesToAddress:
    '{product} comes to your door. You can correct the address, within the same country, until it is on its way.',
  comes: '{product} comes to your door.',
  dependsOnCountry: 'What that costs depends on the country.',
  country: 'Country',
  choose: 'Choose…',
  chooseCountry: 'Please choose a country.',
  continue: 'Continue to payment',
  next: 'Continue',
  buy: 'Buy',
  withTotal: '{label} · {total}',
  price: 'Price',
  free: 'free',
  totalBeforeTax: 'Total, before tax',
  total: 'Total',
  discountCode: 'Discount code',
  codeAtFormat: 'A discount code is entered on the page of the format that you buy: its button leads there.',
  apply: 'Apply',
  checking: 'Checking...',
  removeCode: 'Remove the code',
  codeTakes: '{code}: {amount}',
  codeTakesProduct: '{code}: {amount} {product}',
  codeApplied: '{code} is applied',
  codeAppliedTo: '{code} is applied to {product}',
  codeFailed: '{code} could not be used',
  codeChangesNothing: '{code} changes no price at the moment',
})

export const shippingTexts = defineTexts('shipping', {
  shipping: 'Shipping',
  shippingTo: 'Shipping to {country}',
})

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

export const cardsTexts = defineTexts('cards', {
  bestValue: 'Best Value',
  save: 'Save {amount}',
  off: '{amount} off',
  free: 'Free',
  from: 'From {price}',
  buyFor: 'Buy for {price}',
  getFree: 'Get it free',
  preorderFor: 'Pre-order for {price}',
  preorderFree: 'Pre-order it free',
  insteadOf: 'instead of',
  lowestBefore: 'Struck out: the lowest price of the 30 days before the code',
  soon: 'Available soon',
  soldOut: 'Sold out',
  outOn: 'Pre-order: out on {date}',
  completeOn: 'Complete on {date}; what is out is yours at once',
  completeWithPaper:
    'Complete on {date}: files that are out are yours at once; books on paper are posted together when the last one is out',
  tellMe: 'Tell me when it is out',
  preorder: 'Pre-order: out on {date}. Charged today; until then you can take it back.',
  nothingToShip: 'Nothing to ship: yours at once',
  soldByLink: 'Sold by Link, a company of Stripe',
  pdf: 'PDF',
  epub: 'EPUB for your reading device',
  mobi: 'MOBI for older Kindles',
  instantDownload: 'Instant download',
  bonus: 'Exclusive bonus: {title}',
  printedCopy: 'A printed copy, posted by {sender}',
  printed: 'A printed copy, by post',
  sentTo: 'Ships to: {countries}',
  sentToMany: { other: 'Ships to {count} countries' },
  shipsFree: 'Ships free to your door',
  shipping: 'Plus {price} shipping',
  shippingUpTo: 'Shipping free or up to {price}, by country',
  shippingFrom: 'Plus shipping from {price}',
  taxIncluded: 'incl. VAT',
  taxAdded: 'excl. tax',
  withTax: '{price} ({tax})',
  deliveryTime: { one: 'Delivered in {days} working day', other: 'Delivered in {days} working days' },
  deliveryAfter: {
    one: 'Delivered {days} working day after {date}',
    other: 'Delivered {days} working days after {date}',
  },
  makerAndSafety: 'Manufacturer and product safety',
  maker: 'Manufacturer: {maker}',
  euPerson: 'Responsible person in the EU: {person}',
  isbnOf: '{isbn} ({format})',
  notice: 'The European Union’s notice on the legal guarantee of conformity',
  noticeLarge: 'Open the notice at full size',
  get: 'Get {product}',
  buy: 'Buy {product}',
  preorderOf: 'Pre-order {product}',
})

export const formatsTexts = defineTexts('formats', {
  names: {
    digital: 'Digital',
    paperback: 'Paperback',
    hardcover: 'Hardcover',
    bundle: 'Bundle',
  },
  buy: {
    digital: 'Buy Digital',
    paperback: 'Buy Paperback',
    hardcover: 'Buy Hardcover',
    bundle: 'Buy Bundle',
  },
  preorder: {
    digital: 'Pre-order Digital',
    paperback: 'Pre-order Paperback',
    hardcover: 'Pre-order Hardcover',
    bundle: 'Pre-order Bundle',
  },
  get: {
    digital: 'Get Digital',
    paperback: 'Get Paperback',
    hardcover: 'Get Hardcover',
    bundle: 'Get Bundle',
  },
  within: {
    digital: 'digital',
    paperback: 'paperback',
    hardcover: 'hardcover',
    bundle: 'bundle',
  },
})

export const refundsTexts = defineTexts('refunds', {
  duration:
    'It goes back the way it came. Banks usually take 5 to 10 business days to show it on a card or an account.',
  once: 'The money-back guarantee holds once for each product.',
  paperFirst: 'A book on paper that was sent comes back to us first.',
})

/** The state of a purchase, in a word. */
export const statusesTexts = defineTexts('statuses', {
  pending: 'pending',
  completed: 'completed',
  partially_refunded: 'partially refunded',
  refunded: 'refunded',
  canceled: 'canceled',
  disputed: 'disputed',
})

/** The page for a product that is not out yet. */
export const tellMeTexts = defineTexts('tellMe', {
  page: 'Tell me when it is out',
  text: 'You get one email on the day of the release, and your address is deleted after it.',
  email: 'Email',
  send: 'Tell me',
  sending: 'One moment...',
  failed: 'Couldn’t send',
  sent: 'Please look into your mailbox',
  sentText: 'We have sent you an email. Press the button in it, so that we know that the address is yours.',
  question: 'Shall we tell you?',
  questionText: 'You get one email when it is out, and your address is deleted after it.',
  yes: 'Yes, tell me',
  no: 'No, delete my address',
  done: 'We tell you when it is out',
  doneText:
    '{product}: you get one email on the day. Until then you can delete your address by the link of the email that asked you.',
  ended: 'Your address is deleted',
  endedText: '{product}: you get no email.',
  over: 'This link does not work any more',
  overText: 'It is out, or the address was deleted, or there is a newer email.',
  out: 'It is out',
  back: 'Back to the book',
})
