// The texts of the page on which a buyer objects to a purchase that was moved to another address.
import { defineTexts } from './texts.ts'

export const purchaseMovedTexts = defineTexts('purchaseMoved', {
  page: 'A purchase was moved away from your address',
  text: 'You bought it yourself? Then tell the author, who looks at it and answers you by email.',
  label: 'What should the author know? (optional)',
  button: 'I object',
  busy: 'One moment...',
  done: 'The author has your objection',
  doneText: 'You get an answer by email.',
  failed: 'Couldn’t send your objection',
  over: 'Nothing to object to',
  overText: 'This link works once, for thirty days. If there is more to say, write to us.',
  write: 'Write to us',
})
