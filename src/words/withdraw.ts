// The texts of the page on which a withdrawal is declared.
import { defineTexts } from './texts.ts'

export const withdrawTexts = defineTexts('withdraw', {
  intro: 'You need no account for it, and give no reason.',
  inBrowser: 'Bought in this browser',
  inBrowserText: 'The button is on the page of each order.',
  signedIn: 'You are signed in as {email}. The button is at each of your purchases.',
  openPurchases: 'Open your purchases',
  byForm: 'By this form',
  byFormText: 'If you have the receipt at hand, its link opens your order, which has the button to withdraw.',
  name: 'Name',
  email: 'Email',
  emailHint: 'With which you bought. The acknowledgement goes there.',
  order: 'Order number, or what you bought and when',
  next: 'Continue',
  checkTitle: 'Withdraw from the contract?',
  checkText: 'With the button below you declare that you withdraw from this contract:',
  change: 'Change',
  sending: 'One moment...',
  failed: 'The withdrawal could not be sent',
  done: 'We have received your withdrawal',
  doneMailed:
    'The acknowledgement is on its way to {email}. Its link confirms that the mailbox is yours and shows your order: press the button there, and your money can go back.',
  doneLater:
    'Please save this acknowledgement. It also goes to {email} as soon as an email can be sent. The author looks at your withdrawal.',
  received: 'Received',
  declared: 'Declaration',
  save: 'Save as a file',
  print: 'Print',
  fileName: 'withdrawal',
  proofTitle: 'Confirm your withdrawal',
  proofText:
    'You withdrew on {time}. This mailbox is yours, so your withdrawal takes effect with the button.',
  askTitle: 'Ask for a refund',
  proofLate:
    'You withdrew on {time}. The button sends it to the author as a request: the author decides whether the money goes back, and answers by email. Files of the order cannot be downloaded until then.',
  proofMany: 'You withdrew on {time}. Choose the order that you meant.',
  waived: 'The right of withdrawal ended on {date} with the first download, to which you had agreed.',
  ended: 'The right of withdrawal ended on {date}.',
  periodOver: 'No right of withdrawal applies to this order, or its time is over.',
  effectTitle: 'Your withdrawal has taken effect',
  closedText: 'You withdrew on {time}, and your withdrawal has taken effect.',
  none: 'No order to withdraw from',
  noneText:
    'You withdrew on {time}, but nothing was bought with your address that can be given back. If you bought with another address, please withdraw with that one.',
  again: 'Withdraw with another address',
  over: 'This link does not work any more',
  overText: 'It works for 30 days.',
  loading: 'Loading your order...',
  notLoaded: 'Your order could not be loaded',
  tryAgain: 'Try again',
})
