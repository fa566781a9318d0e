// The texts of the page that ends emails about new editions.
import { defineTexts } from './texts.ts'

export const mailChoicesTexts = defineTexts('mailChoices', {
  page: 'Emails about new editions',
  about: 'They tell you when there is a new edition of a book that you own.',
  on: 'You get an email when there is a new edition of a book that you own.',
  off: 'You get no emails about new editions any more. The new editions of your books are there for you all the same.',
  others: 'Receipts, and emails that you ask for, come as before.',
  stop: 'No more of these emails',
  again: 'Send me these emails again',
  busy: 'One moment...',
  failed: 'Couldn’t save',
  over: 'This link is not known',
  overText: 'Please open the whole link of the email, or choose your emails on the page of your account.',
  account: 'Open my account',
})
