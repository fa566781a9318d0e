import type { Toast } from '../../toasts.tsx'

export const adminNotices = {
  accessDenied: {
    title: 'Access Denied',
    description: "You don't have admin privileges",
    destructive: true,
  },
  adminFailed: { title: 'Error', description: 'The admin area could not be opened', destructive: true },
  sessionEnded: { title: 'Signed Out', description: 'Your session has ended. Please sign in again.' },
  productsFailed: { title: 'Error', description: 'Failed to load products', destructive: true },
  purchasesFailed: { title: 'Error', description: 'Failed to fetch purchases', destructive: true },
  salesFailed: { title: 'Error', description: 'Failed to fetch sales data', destructive: true },
  usersFailed: { title: 'Error', description: 'Failed to fetch user data', destructive: true },
  messagesFailed: { title: 'Error', description: 'Failed to fetch messages', destructive: true },
  securityEventsFailed: {
    title: 'Error',
    description: 'Failed to fetch the security events',
    destructive: true,
  },
  mailsFailed: { title: 'Error', description: 'Failed to fetch the emails', destructive: true },
  setupFailed: { title: 'Error', description: 'The setup could not be opened', destructive: true },
  bookFailed: { title: 'Error', description: 'Failed to fetch the book', destructive: true },
  backupsFailed: { title: 'Error', description: 'Failed to fetch the backups', destructive: true },
  settingsFailed: { title: 'Error', description: 'Failed to fetch the settings', destructive: true },
  logFailed: { title: 'Error', description: 'Failed to fetch the log', destructive: true },
  receiptOnItsWay: { title: 'Receipt sent', description: 'It is on its way to the customer.' },
  receiptUnsent: {
    title: 'Receipt saved',
    description: 'Email is not set up, so it was not sent.',
  },
  verificationUnsent: {
    title: 'Verification saved',
    description: 'Email is not set up, so it was not sent.',
  },
  receiptJustSent: {
    title: 'Not sent again',
    description: 'A receipt was written a moment ago. Please wait two minutes before the next one.',
  },
  notAnEbook: {
    title: 'Invalid File Type',
    description: 'Please upload a PDF, EPUB, or MOBI file.',
    destructive: true,
  },
  notAPicture: {
    title: 'Invalid File Type',
    description: 'Please choose a JPEG, PNG or WebP picture.',
    destructive: true,
  },
  missingInformation: {
    title: 'Missing Information',
    description: 'Please fill in all fields and select a file.',
    destructive: true,
  },
  uploadLeft: {
    title: 'Upload stopped',
    description: 'Choose the same file again, and it goes on where it stopped.',
  },
  uploaded: { title: 'Upload Successful', description: 'Ebook has been uploaded and added to the store.' },
  needsFailed: { title: 'Error', description: 'Failed to fetch what needs attention', destructive: true },
  heldCompleted: {
    title: 'Purchase completed',
    description: 'The payment matches now. The buyer has the receipt.',
  },
  heldCanceled: {
    title: 'Purchase Canceled',
    description: 'Its checkout ended unpaid, or the money was refunded.',
  },
  heldStillWaits: { title: 'Nothing has changed', description: 'Stripe still reports the same.' },
  heldAccepted: {
    title: 'Accepted as paid',
    description: 'The purchase is completed at the amount that was paid, and the receipt is on its way.',
  },
  heldRefunded: {
    title: 'Refund on its way',
    description: 'It leaves this list once Stripe has processed it, and the buyer gets an email.',
  },
  withdrawalRefused: {
    title: 'Refused',
    description: 'The buyer gets your answer by email and keeps the purchase.',
  },
  triedAgain: { title: 'Retrying', description: 'If it fails for good again, it comes back here.' },
  copyConfirmed: { title: 'Confirmed', description: 'This is the shop now: it takes payments.' },
  dismissed: { title: 'Dismissed', description: 'Your note is kept in the log.' },
  refundSent: {
    title: 'Refund on its way',
    description: 'The buyer gets the money within a few days.',
  },
  addressCorrected: { title: 'Address corrected', description: 'The book goes to this address.' },
  putBack: { title: 'Put back', description: 'It is on the list of parcels to ship again.' },
  trackingChanged: { title: 'Tracking changed', description: 'The reader sees it on the dashboard.' },
  discountsFailed: { title: 'Error', description: 'Failed to fetch the discount codes', destructive: true },
  discountAdded: { title: 'Code created', description: 'It is valid from now on.' },
  discountResumed: { title: 'Code resumed', description: 'It can be used again.' },
  discountEnded: { title: 'Code ended', description: 'What was bought with it stays as it is.' },
  giftsFailed: { title: 'Error', description: 'Failed to fetch the free copies', destructive: true },
  shipmentsFailed: { title: 'Error', description: 'Failed to fetch shipments', destructive: true },
} satisfies Record<string, Toast>

/** Where no provider was paid, the shop moves no money. */
export function refundRecorded(amount: string): Toast {
  return { title: `Recorded. Now send ${amount} to the reader yourself.` }
}

export function keptMailsSent(count: number): Toast {
  if (count === 0) return { title: 'Nothing sent', description: 'There is nothing left to send.' }
  const mails = count === 1 ? 'One email is' : `${count} emails are`
  return { title: 'Emails sent', description: `${mails} on the way.` }
}
