// The texts about the excerpt by email: the way to it, the page that asks for an address, and the page of the email's link.
import { defineTexts } from './texts.ts'

export const excerptTexts = defineTexts('excerpt', {
  lead: 'Get an excerpt by email',
  page: 'An excerpt for you',
  description: 'Enter your address, and an excerpt of {book} comes by email.',
  text: 'Enter your address, and a link to the excerpt comes by email.',
  email: 'Email',
  send: 'Send me the excerpt',
  sending: 'One moment...',
  deleted: 'Your address is used for this one email, and deleted after seven days.',
  deletedUnlessLetters:
    'Your address is used for this one email, and for letters only if you tick the box and confirm them. Otherwise it is deleted after seven days.',
  failed: 'Couldn’t send',
  sent: 'Please look into your mailbox',
  sentText:
    'An email with a link to the excerpt is on its way. If it does not come, please look among your spam, and try again in ten minutes.',
  off: 'There is no excerpt here',
  offText: 'At present this page has no excerpt to give.',
  opening: 'Opening your link...',
  ready: 'Your excerpt',
  readyText: 'Open it on the device you read on.',
  replaced: 'The author has replaced the file since the email was asked for: this is the new one.',
  download: 'Download the excerpt',
  downloading: 'One moment...',
  downloadFailed: 'Couldn’t download',
  removed: 'The excerpt is not there any more',
  removedText: 'The author has removed it since the email was asked for.',
  over: 'This link does not work any more',
  overText: 'It worked for seven days, or your address was deleted. You can ask for the excerpt anew.',
  usedUp: 'This link has given the file as often as it can. You can ask for the excerpt anew.',
  lettersText: 'This box was ticked. The letters come only if you press the button:',
  lettersYes: 'Send me letters too',
  lettersDone:
    '{email} is on the list. To leave it, enter the address on the page of the letters: the email has the link to leave.',
  again: 'Ask for the excerpt',
  back: 'Back to the book',
  startAgain: 'Open the link of the email once more: it gives the file anew.',
  fileName: '{book}, excerpt',
})
