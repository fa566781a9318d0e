// The words in which Today and the checks before the opening ask whether the tax is in the prices, and where it is answered.
import type { TaxQuestion } from '#contract/overview/today.ts'

export const taxAnswer = { label: 'Open the tax settings', to: '/admin/settings/tax#in_prices' }

export const taxQuestions: Record<TaxQuestion, { title: string; text: string }> = {
  unsaid: {
    title: 'Is the tax in your prices?',
    text: 'Stripe works out tax, and what your account at Stripe has preset decides whether it is added. Once you have chosen, the page says it and Stripe is told with each payment.',
  },
  unsaid_for_link: {
    title: 'Is the tax in your prices?',
    text: 'Link works out the tax of your files. Until you have chosen, it is a part of the price, and the page says nothing of it.',
  },
  unsaid_in_eu: {
    title: 'Is the tax in your prices?',
    text: 'Consumers in the EU must be shown prices with the tax in them; your page says nothing of it yet.',
  },
  added_in_eu: {
    title: 'Tax is added to your prices in the EU',
    text: 'Buyers in the EU must be shown prices with the tax in them. Include it, or send to other countries only.',
  },
}
