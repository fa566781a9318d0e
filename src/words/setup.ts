import { defineTexts } from './texts.ts'

export const setupTexts = defineTexts('setup', {
  title: 'Set up your shop',
  checkingLink: 'Checking the link...',
  lead: 'Create your account first. With it you add your book, see your sales and change what you sell.',
  signIn: 'Sign In',
  returnHome: 'Return to Home',
  password: 'Password',
  make: 'Create my account',
  making: 'Creating your account...',
  made: 'Your account was created',
  pleaseSignIn: 'Please sign in. {problem}',
  ready: {
    title: 'Your account is ready',
    description: 'You are signed in. Next, bring your book.',
  },
  failed: 'Couldn’t create the account',
  haveShop: 'Do you have a shop already?',
  haveShopText: 'On another machine, or from a backup: bring it here, with its orders and readers.',
  restoreShop: 'Restore a shop that you have',
})
