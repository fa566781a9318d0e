import { defineTexts } from './texts.ts'

export const refundsTexts = defineTexts('refunds', {
  duration:
    'It goes back the way it came. Banks usually take 5 to 10 business days to show it on a card or an account.',
  conditions: {
    once: 'The money-back guarantee holds once for each product, and a book on paper that was sent comes back to us first.',
  },
})
