// The addresses of the site’s pages that more than one side knows, and those that its forms are posted to.

/** `next` in its query is the address that it leads to (next-path.ts). */
export const signInPath = '/auth'

export const contactPath = '/contact'
export const messageSentPath = '/contact/sent'

/** `:product` is the name of a format, which means the first product of it, or a product's id. */
export const buyPattern = '/buy/:product'
export const buyPath = (product_id: string) => `/buy/${product_id}`

export const findPurchasePath = '/find-purchase'
/** The form of that page that asks for receipts, without scripts. */
export const receiptsPath = '/find-purchase/receipts'

export const withdrawPath = '/withdraw'
export const withdrawSteps = { check: '/withdraw/check', received: '/withdraw/received' } as const

export const lettersPath = '/letters'
/** The page that asks for an address for the excerpt, and the target of the email's link. */
export const excerptPath = '/sample'
export const tellMePattern = '/tell-me/:id'
export const mailChoicesPattern = '/emails/:token'

/** Forms that were posted without scripts lead here. */
export const outcomePaths = {
  searchSent: '/find-purchase/sent',
  receiptsSent: '/find-purchase/mailed',
  toldLater: '/tell-me/sent',
  lettersAsked: '/letters/sent',
  excerptAsked: '/sample/sent',
  lettersEnded: '/emails/letters-ended',
  lettersDeleted: '/emails/letters-deleted',
  mailsOff: '/emails/off',
  mailsOn: '/emails/on',
  linkUnknown: '/emails/unknown',
} as const

/** A form is posted to its page's own address where that has an id, which the markup of all such pages does not know. */
export const samePath = ''

/** The payment leads a guest back here. */
export const returnPath = ({ id, access }: { id: string; access: string }) =>
  `/purchase/${encodeURIComponent(id)}?session_id=${encodeURIComponent(access)}`

/** The page that is shown there: without `session_id` it is another one. */
export const returnPattern = '/purchase/:id/returned'

/** The page that a download link is answered with where it no longer works. */
export const refusedDownloadPath = '/refused-download'

/** The sign-in leads whoever looks for a purchase here; the email with its code is counted apart by it. */
export const findPurchaseNext = '/dashboard#find-purchase'

/** Signs in by a code that is emailed. */
export const codePath = '/auth?next=/dashboard&form=code'
