// The words of every notice, in one place. The words of a refusal come from the server.
import { replyTime } from '#features/messages/contract/reply-time.ts'
import { passwordTooShort } from '#platform/contract/password-length.ts'
import { ProblemError } from './send.ts'
import type { Toast } from './toasts.tsx'

export const notices = {
  welcomeBack: { title: 'Welcome back!', description: 'You have successfully signed in.' },
  accountCreated: {
    title: 'Account Created!',
    description: 'Please check your email to verify your account.',
  },
  passwordMismatch: { title: 'Password Mismatch', description: 'Passwords do not match.', destructive: true },
  passwordTooShort: {
    title: 'Password Too Short',
    description: passwordTooShort,
    destructive: true,
  },
  emailConfirmed: {
    title: 'Welcome!',
    description: 'Your email address is confirmed and you are signed in.',
  },
  passwordChanged: { title: 'Password Changed', description: 'You are signed in with your new password.' },
  signedOut: { title: 'Signed Out' },
  sessionEnded: { title: 'Signed Out', description: 'Your session has ended. Please sign in again.' },
  productsFailed: { title: 'Error', description: 'Failed to load products', destructive: true },
  legalFailed: { title: 'Error', description: 'Failed to load the page', destructive: true },
  previewFailed: { title: 'Error', description: 'Failed to load the preview', destructive: true },
  signInFirst: {
    title: 'Authentication Required',
    description: 'Please sign in to purchase this product',
    destructive: true,
    isBrief: true,
  },
  messageSent: {
    title: 'Message Sent Successfully!',
    description: `Thank you for your message. The author will get back to you within ${replyTime}.`,
  },
  messageFailed: {
    title: 'Failed to Send Message',
    description: 'There was an error sending your message. Please try again or contact the author directly.',
    destructive: true,
  },
  purchasesFailed: { title: 'Error', description: 'Failed to fetch purchases', destructive: true },
  paymentWaits: {
    title: 'Payment Not Confirmed Yet',
    description:
      'Your bank has not told us yet. Your purchase appears here as soon as it does; nothing is charged twice.',
  },
  receiptFailed: { title: 'Error', description: 'Failed to fetch the receipt', destructive: true },
  paymentCanceled: {
    title: 'Payment not finished',
    description: 'The checkout has ended, and nothing was charged.',
  },
  checkoutLeft: {
    title: 'Payment not finished',
    description: 'Nothing was charged. You can go on with it whenever you like.',
  },
  refundAsked: {
    title: 'Refund Requested',
    description: 'Your money is on its way back to you. We confirm it by email.',
  },
  refundWaits: {
    title: 'Declaration Received',
    description: 'We confirm it by email. What happens next is below your purchase.',
  },
  addressKept: { title: 'Address Kept', description: 'This is where your book goes.' },
  noDownload: {
    title: 'Download Error',
    description: 'This product is not available for download',
    destructive: true,
  },
} satisfies Record<string, Toast>

export function mailAsked(sendsMail: boolean): Toast {
  return sendsMail
    ? { title: 'Email Sent', description: 'Please look into your mailbox, and into its spam folder.' }
    : { title: 'Email Written', description: 'It is not sent: this shop does not send email yet.' }
}

type Purchased = { product: { name: string; is_digital: boolean } }

export function purchaseSucceeded({ product }: Purchased): Toast {
  const next = product.is_digital
    ? 'Check your email for download instructions.'
    : 'We will process your order shortly.'
  return {
    title: 'Purchase Successful!',
    description: `You have successfully purchased ${product.name}. ${next}`,
  }
}

export function downloadStarted(name: string): Toast {
  return { title: 'Download Started', description: `Downloading ${name}...` }
}

export const offline = 'You are offline. Please try again when you are connected.'

export function isDisconnected(): boolean {
  return 'onLine' in navigator && !navigator.onLine
}

export function isOffline(error: unknown): boolean {
  return !(error instanceof ProblemError) && isDisconnected()
}

export function loadFailure(notice: Toast, error: unknown): Toast {
  if (isOffline(error)) return { ...notice, description: offline }
  const isForeseen = error instanceof ProblemError || error instanceof TypeError
  return isForeseen ? notice : { ...notice, description: 'An unexpected error occurred' }
}

/** The server's message where it gave one; the text of a bug's response, or of a proxy's, is not for users. */
export function failure(title: string, error: unknown, unexpected = 'An unexpected error occurred'): Toast {
  if (isOffline(error)) return { title, description: offline, destructive: true }
  const hasMessage = error instanceof ProblemError && error.code !== 'server.bug'
  return { title, description: hasMessage ? error.message : unexpected, destructive: true }
}
