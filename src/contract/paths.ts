// The addresses of the site’s pages that more than one side knows, and those that its forms are posted to.

export const contactPath = '/contact'
export const messageSentPath = '/contact/sent'

/** `:product` is the name of a format, which means the first product of it, or a product's id. */
export const buyPattern = '/buy/:product'
export const buyPath = (product_id: string) => `/buy/${product_id}`

export const findPurchasePath = '/find-purchase'

export const withdrawPath = '/withdraw'
export const withdrawSteps = { check: '/withdraw/check', received: '/withdraw/received' } as const

export const tellMePattern = '/tell-me/:id'
export const mailChoicesPattern = '/emails/:token'

/** Where forms lead that were posted without scripts. */
export const outcomePaths = {
  searchSent: '/find-purchase/sent',
  toldLater: '/tell-me/sent',
  mailsOff: '/emails/off',
  mailsOn: '/emails/on',
  linkUnknown: '/emails/unknown',
} as const

/** Of a form whose page has an id in its address, which the markup of all of them does not know: that of the page. */
export const samePath = ''

/** Where the payment leads a guest back to. */
export const returnPath = ({ id, access }: { id: string; access: string }) =>
  `/purchase/${encodeURIComponent(id)}?session_id=${encodeURIComponent(access)}`

/** The page that is shown there: without `session_id` it is another one. */
export const returnPattern = '/purchase/:id/returned'

/** Where who looks for a purchase goes after the sign-in, by which the email with its code is counted apart. */
export const findPurchaseNext = '/dashboard#find-purchase'
