// The texts of every page: header, footer, notices and controls; and the page for an address that leads nowhere.
import { defineTexts } from './texts.ts'

export const siteTexts = defineTexts('site', {
  skipToContent: 'Skip to content',
  account: 'Account',
  signIn: 'Sign In',
  dashboard: 'Dashboard',
  admin: 'Admin',
  signOut: 'Sign Out',
  footer: 'Footer',
  readPreview: 'Read a preview',
  formatsAndPrices: 'Formats and prices',
  withdraw: 'Withdraw from contract here',
  contact: 'Contact',
  letters: 'Letters by email',
  mailedTo: 'The email goes to {email}.',
  otherEmail: 'Use another address',
  yourPurchases: 'Your purchases',
  findPurchase: 'Find your purchase',
  byAuthor: 'by {author}',
  titleByAuthor: '{title} by {author}',
  noScriptAccount:
    'Without JavaScript you can read here and write to the author. To sign in and buy, please turn it on.',
  noScript:
    'Without JavaScript you can read here, write to the author and buy. To sign in, and to open a purchase by its link, please turn it on.',
  linkNeedsScripts:
    'Did the link of an email lead here? It needs JavaScript: please turn it on, and open the link again.',
  testMode: 'Test mode',
  testModeNotice: 'Test mode: no real money is taken',
  crashTitle: 'Something went wrong',
  crashText: 'An unexpected error occurred. Loading the page again usually helps.',
  scriptLost: 'A part of this page was not loaded.',
  loadAgain: 'Load again',
  foreignForm: 'Please send it once more',
  foreignFormText:
    'Your browser did not say that this form came from this site. Nothing was sent yet, and nothing that you typed is lost.',
  sendAgain: 'Send from here',
  leadsOn: 'The next page opens by itself. If it does not, press the button.',
  returnHome: 'Return to Home',
  coverOf: 'The cover of {title}',
  beforeYouBuy: 'Before you buy, please read:',
  offline: 'You are offline. Please try again when you are connected.',
  unreachable: 'The shop could not be reached. Please check your connection and try again.',
  unexpected: 'An unexpected error occurred',
  signedOut: 'Signed Out',
  sessionEnded: 'Your session has ended. Please sign in again.',
  youSignedOut: 'You have signed out.',
  close: 'Close',
  tryAgain: 'Try again',
  headersTooLarge:
    'Your browser sends more with its requests than this shop accepts. Deleting the cookies of this site usually helps.',
})

export const controlsTexts = defineTexts('controls', {
  cancel: 'Cancel',
  loading: 'Loading...',
  nothingLost: 'Nothing is lost. Please try again in a moment.',
  discardQuestion: 'Discard what you typed?',
  discard: 'Discard',
  keepEditing: 'Keep editing',
  hidePassword: 'Hide password',
  showPassword: 'Show password',
  pages: 'Pages',
  previous: 'Previous',
  firstPage: 'First page',
  next: 'Next',
  end: 'That is all',
  test: 'test',
  opensTab: '(opens in a new tab)',
  trackingNumber: 'Tracking number:',
  readIt: 'Read it',
  notSaved: 'What you entered on this page is not saved yet.',
  leaveQuestion: 'Leave without saving?',
  leave: 'Leave without saving',
  stay: 'Stay on this page',
  signOutQuestion: 'Sign out without saving?',
  signOutUnsaved: 'Sign out',
})

export const notFoundTexts = defineTexts('notFound', {
  page: 'Page not found · {book}',
  title: 'Oops! Page not found',
  text: 'There is nothing at this address. Perhaps the link was mistyped, or the page has moved.',
  adminDashboard: 'Admin Dashboard',
})

export const legalTexts = defineTexts('legal', {
  failed: {
    title: 'Error',
    description: 'Failed to load the page',
  },
  notLoaded: 'The page could not be loaded',
  tryAgain: 'Try again',
})

/** English refusals whose words the browser knows: of a server's failure, auth-js keeps nothing else. */
export const outages = {
  'auth.request_timeout': 'The shop is busy. Please try again in a moment.',
  'server.unavailable': 'The shop is briefly unavailable. Please try again in a moment.',
} as const

export const outagesTexts = defineTexts('outages', outages)
