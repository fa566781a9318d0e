import { defineTexts } from './texts.ts'

export const accountTexts = defineTexts('account', {
  page: 'Your account',
  link: 'Account',
  backToDashboard: 'Back to Dashboard',
  loading: 'Loading your account...',
  loadFailed: {
    title: 'Error',
    description: 'Failed to fetch your account',
  },
  notLoaded: 'Your account could not be loaded',
  save: 'Save',
  saving: 'Saving...',
  couldNotSave: 'Couldn’t save',
  profile: {
    title: 'Your name',
    name: 'Display name',
    hint: 'We greet you by it in emails, and the author sees it beside your purchases. You may leave it empty.',
    saved: 'Name Saved',
  },
  password: {
    title: 'Your password',
    first: 'Choose a password',
    change: 'A new password signs out all your other devices.',
    firstText:
      'You sign in with codes that we email you. With a password you need none, and codes still work.',
    save: 'Save the password',
    saved: 'Password Saved',
  },
  emails: {
    title: 'Emails you get',
    purchases: 'Receipts, and news about a parcel or a refund, for each purchase',
    account: 'Links and codes that you ask for, and a notice when your password, address or sign-in changes',
    only: 'That is all: this shop sends no newsletters and no advertising, so there is nothing to turn off.',
    sentTo: 'They go to {email}.',
  },
  proof: {
    title: 'Confirm it’s you',
    why: 'You signed in a while ago. To continue, please show once more that it’s you. Nothing you have typed is lost.',
    continue: 'Continue',
    checking: 'One moment...',
    password: 'Your password',
    wrongPassword: 'That’s not your password.',
    failed: 'Couldn’t confirm',
    byMail: 'Email me a code instead',
    byPassword: 'Use my password instead',
    sendCode: 'Email me a code',
    sendAgain: 'Send another code',
    mailed: 'We email a code to {email}. It works for ten minutes, in this browser.',
    sent: 'A code is on its way to {email}. It works for ten minutes, in this browser.',
  },
})
