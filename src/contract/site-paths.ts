// The addresses that the forms of the site are posted to.
export const contactPath = '/contact'
export const messageSentPath = '/contact/sent'

export const buyPath = (product_id: string) => `/buy/${product_id}`
