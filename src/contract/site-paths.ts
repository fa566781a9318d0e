// The addresses that the forms of the site are posted to.
export const contactPath = '/contact'
export const messageSentPath = '/contact/sent'

export const buyPath = (product_id: string) => `/buy/${product_id}`

export const findPurchasePath = '/find-purchase'

export const withdrawPath = '/withdraw'

/** Of a form whose page has an id in its address, which the markup of all of them does not know: that of the page. */
export const samePath = ''
