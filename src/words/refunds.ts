import { defineTexts } from './texts.ts'

export const refundsTexts = defineTexts('refunds', {
  conditions: {
    once: 'The money-back guarantee holds once for each product, and a book on paper that was sent comes back to us first.',
  },
})
