import { defineTexts } from './texts.ts'

export const tellMeTexts = defineTexts('tellMe', {
  page: 'Tell me when it is out',
  text: 'You get one email on the day of the release, and your address is deleted after it.',
  email: 'Email',
  send: 'Tell me',
  sending: 'One moment...',
  failed: 'Couldn’t send',
  sent: 'Please look into your mailbox',
  sentText: 'We have sent you an email. Press the button in it, so that we know that the address is yours.',
  question: 'Shall we tell you?',
  questionText: 'You get one email when it is out, and your address is deleted after it.',
  yes: 'Yes, tell me',
  no: 'No, delete my address',
  done: 'We tell you when it is out',
  doneText: '{product}: you get one email on the day.',
  ended: 'Your address is deleted',
  endedText: '{product}: you get no email.',
  over: 'This link does not work any more',
  overText: 'It is out, or the address was deleted, or there is a newer email.',
  back: 'Back to the book',
})
