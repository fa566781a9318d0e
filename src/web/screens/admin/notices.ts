// The words of the notices of the admin area.
import type { Toast } from '../../toasts.tsx'

export const adminNotices = {
  accessDenied: {
    title: 'Access Denied',
    description: "You don't have admin privileges",
    destructive: true,
  },
  adminFailed: { title: 'Error', description: 'The admin area could not be opened', destructive: true },
  salesFailed: { title: 'Error', description: 'Failed to fetch sales data', destructive: true },
  usersFailed: { title: 'Error', description: 'Failed to fetch user data', destructive: true },
  messagesFailed: { title: 'Error', description: 'Failed to fetch messages', destructive: true },
  securityEventsFailed: {
    title: 'Error',
    description: 'Failed to fetch the security events',
    destructive: true,
  },
  mailsFailed: { title: 'Error', description: 'Failed to fetch the mails', destructive: true },
  setupFailed: { title: 'Error', description: 'The setup could not be opened', destructive: true },
  bookFailed: { title: 'Error', description: 'Failed to fetch the book', destructive: true },
  backupsFailed: { title: 'Error', description: 'Failed to fetch the backups', destructive: true },
  settingsFailed: { title: 'Error', description: 'Failed to fetch the settings', destructive: true },
  logFailed: { title: 'Error', description: 'Failed to fetch the log', destructive: true },
  receiptOnItsWay: { title: 'Receipt Sent', description: 'It is on its way to the customer.' },
  receiptKept: {
    title: 'Receipt Written',
    description: 'Mail is not set up, so it was not sent.',
  },
  verificationKept: {
    title: 'Verification Written',
    description: 'Mail is not set up, so it was not sent.',
  },
  receiptJustSent: {
    title: 'Not Sent Again',
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
    title: 'Upload Stopped',
    description: 'Choose the same file again, and it goes on where it stopped.',
  },
  uploaded: { title: 'Upload Successful', description: 'Ebook has been uploaded and added to the store.' },
  needsFailed: { title: 'Error', description: 'Failed to fetch what needs attention', destructive: true },
  heldCompleted: {
    title: 'Purchase Completed',
    description: 'The payment matches now. The buyer has the receipt.',
  },
  heldCanceled: {
    title: 'Purchase Canceled',
    description: 'Its checkout ended unpaid, or the money was refunded.',
  },
  heldStillWaits: { title: 'Nothing Has Changed', description: 'Stripe still reports the same.' },
  heldAccepted: {
    title: 'Accepted As Paid',
    description: 'The purchase is completed at the amount that was paid, and the receipt is on its way.',
  },
  heldGivenBack: {
    title: 'Refund On Its Way',
    description: 'It leaves this list once Stripe has processed it, and the buyer gets an email.',
  },
  withdrawalRefused: {
    title: 'Refused',
    description: 'The buyer gets your answer by email and keeps the purchase.',
  },
  triedAgain: { title: 'Tried Again', description: 'If it fails for good again, it comes back here.' },
  copyConfirmed: { title: 'Confirmed', description: 'This is the shop now: it takes payments.' },
  dismissed: { title: 'Dismissed', description: 'Your note is kept in the log.' },
  refundGiven: {
    title: 'Refund On Its Way',
    description: 'The buyer gets the money within a few days.',
  },
  addressCorrected: { title: 'Address Corrected', description: 'This is where the book goes.' },
  putBack: { title: 'Put Back', description: 'It is among what is to be shipped again.' },
  trackingChanged: { title: 'Tracking Changed', description: 'The reader sees it on the dashboard.' },
  discountsFailed: { title: 'Error', description: 'Failed to fetch the discount codes', destructive: true },
  discountAdded: { title: 'Code Made', description: 'It is valid from now on.' },
  discountResumed: { title: 'Code Resumed', description: 'It can be used again.' },
  discountEnded: { title: 'Code Ended', description: 'What was bought with it stays as it is.' },
  giftsFailed: { title: 'Error', description: 'Failed to fetch the free copies', destructive: true },
  shipmentsFailed: { title: 'Error', description: 'Failed to fetch shipments', destructive: true },
} satisfies Record<string, Toast>

/** Where no provider was paid, no money moves by itself. */
export function refundRecorded(amount: string): Toast {
  return { title: `Recorded. Now send ${amount} to the reader yourself.` }
}

export function keptMailsSent(count: number): Toast {
  if (count === 0) return { title: 'Nothing Sent', description: 'There is nothing left to send.' }
  const mails = count === 1 ? 'One mail is' : `${count} mails are`
  return { title: 'Mails Sent', description: `${mails} on the way.` }
}
