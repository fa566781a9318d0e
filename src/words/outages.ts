import { defineTexts } from './texts.ts'

/** In English. Refusals whose words the browser knows: of a server's failure, auth-js keeps nothing else. */
export const outages = {
  'auth.request_timeout': 'The shop is busy. Please try again in a moment.',
  'server.unavailable': 'The shop is briefly unavailable. Please try again in a moment.',
} as const

export const outagesTexts = defineTexts('outages', outages)
