// What has become of a purchase, in a word.
import { defineTexts } from './texts.ts'

export const statusesTexts = defineTexts('statuses', {
  pending: 'pending',
  completed: 'completed',
  partially_refunded: 'partially refunded',
  refunded: 'refunded',
  canceled: 'canceled',
  disputed: 'disputed',
})
