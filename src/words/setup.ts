export const setupTexts = {
  title: 'Set up your shop',
  checkingLink: 'Checking the link...',
  lead: 'Make your account first. With it you bring your book, see sales and change what is for sale.',
  signIn: 'Sign In',
  returnHome: 'Return to Home',
  password: 'Password',
  make: 'Make my account',
  making: 'Making your account...',
  made: 'Your account is made',
  pleaseSignIn: 'Please sign in. {problem}',
  ready: {
    title: 'Your account is ready',
    description: 'You are signed in. Bring your book next.',
  },
  failed: 'Couldn’t create the account',
} as const
