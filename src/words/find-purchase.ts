// The texts of the page that finds a purchase by its address.
import { defineTexts } from './texts.ts'

export const findPurchaseTexts = defineTexts('findPurchase', {
  underAddress: 'A purchase opens under the address that it was bought with.',
  byCode: 'We email a code to it, and you see everything that belongs to it.',
  needsScripts: 'Signing in needs JavaScript, and so does the link to an order.',
  byReceipt:
    'We email the receipts of your newest orders. You can open their links on another device, or here once JavaScript is on.',
  getReceipts: 'Email me the receipts',
  receiptsSent:
    'If something was bought with this address, the receipts of its newest orders are on their way to it, or came a moment ago. Please look into its spam folder, too. None is sent for an order that was refunded, withdrawn from or disputed.',
  signedIn: 'You are signed in with {email}.',
  open: 'Open your purchases',
  notThere: 'It is not there, or no email came?',
  mistyped:
    'Then the address may have been mistyped. Tell the author what you remember: the purchase can be found, and put under your address.',
  name: 'Name',
  email: 'Email',
  failed: 'Failed to Send Message',
  otherAddress: 'Another address you may have used (optional)',
  when: 'When you bought, about (optional)',
  card: 'Last four digits of the card (optional)',
  cardDigits: 'Please enter four digits.',
  more: 'Anything else (optional)',
  told: {
    otherAddress: 'Other address: {value}',
    when: 'Bought: {value}',
    card: 'Card ends in: {value}',
    more: 'Also: {value}',
  },
  subject: 'I cannot find my purchase',
  message: 'I cannot find my purchase.',
  write: 'Write to the author',
  busy: 'One moment...',
  sent: 'The author has your message, and answers it by email.',
})
