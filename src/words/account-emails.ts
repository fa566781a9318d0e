// The texts of emails about an account.
import { emailsTexts } from './emails.ts'
import { defineTexts } from './texts.ts'

export const accountEmailsTexts = defineTexts('accountEmails', {
  isYourCode: '{code} is your code',
  code: 'Or type this code in the window where you asked for it:',
  /** Stands in the notes below a link. */
  lasts: { one: 'for one hour', other: 'for {count} hours' },
  link: {
    signup: {
      subject: 'Please confirm your email address',
      preview: 'Confirm it, and your account is ready.',
      title: 'Confirm your email address',
      texts: ['Someone asked for an account with this email address. Confirm it and you are signed in.'],
      button: 'Confirm my email',
      notes: [
        'The link works for 24 hours, the code for 10 minutes and only in the browser where you signed up; each once.',
        'You did not ask for this? Then do not press the button: without it, no account is made, and the password that was chosen is thrown away.',
      ],
    },
    magiclink: {
      title: 'Your sign-in code',
      preview: 'Type it where you asked for it.',
      texts: ['Somebody, probably you, asked to sign in with this email address.'],
      button: 'Sign in',
      notes: [
        'The link works {lasts} and in any browser, the code for 10 minutes and only in the browser that asked for it; each once.',
        'You did not ask for this? Then you need not do anything. Never tell the code to anybody: this shop does not ask for it.',
      ],
    },
    signup_by_link: {
      subject: 'Please confirm your email address',
      preview: 'Confirm it, and your account is ready.',
      title: 'Confirm your email address',
      texts: ['Someone asked for an account with this email address. Confirm it and you are signed in.'],
      button: 'Confirm my email',
      notes: [
        'The link works for 24 hours, once.',
        'You did not ask for this? Then do not press the button: without it, no account is made, and the password that was chosen is thrown away.',
      ],
    },
    magiclink_by_link: {
      title: 'Your sign-in link',
      preview: 'Here is the link you asked for.',
      texts: ['Somebody, probably you, asked to sign in with this email address.'],
      button: 'Sign in',
      notes: ['The link works {lasts}, once.', 'You did not ask for this? Then you need not do anything.'],
    },
    exists: {
      title: 'You already have an account',
      preview: 'Sign in with it, or choose a new password.',
      texts: ['Somebody, probably you, asked for an account with this email address. You have one already.'],
      button: 'Sign in',
      notes: [
        'If you do not remember your password, choose “Forgot password?” there.',
        'This was not you? Then you need not do anything: nothing was changed.',
      ],
    },
    recovery: {
      title: 'Choose a new password',
      preview: 'Here is the link you asked for.',
      texts: ['Somebody, probably you, asked for a new password for your account.'],
      button: 'Choose a new password',
      notes: [
        'The link works {lasts}, once.',
        'You did not ask for this? Then you need not do anything: your password stays as it is.',
      ],
    },
    invitation: {
      title: 'You are an admin now',
      preview: 'Choose a password, and you are signed in.',
      texts: [
        'An account was made for you with this email address. It may do everything in the admin area of {site}.',
      ],
      button: 'Choose a password',
      notes: [
        'The link works for one hour, once. Afterwards choose “Forgot password?” where you sign in, and you get another.',
        'You do not know this shop? Then you need not do anything: without a password nobody can sign in.',
      ],
    },
    data_offered: {
      title: 'Your data in our shop',
      preview: 'Sign in to see them and to save them.',
      texts: [
        'You asked us for the data that we have of you. Sign in with this email address, and you see them all and can save them. If you have no password, a code that we email you is enough.',
      ],
      button: 'See my data',
      notes: ['You did not ask for this? Then you need not do anything: nobody but you can see them.'],
    },
    erasure_offered: {
      title: 'Erase your account in our shop',
      preview: 'Sign in to confirm it.',
      texts: [
        'You asked us to erase what we have of you. Sign in with this email address and confirm it on your account page. If you have no password, a code that we email you is enough.',
      ],
      button: 'Go to my account',
      notes: ['You did not ask for this? Then you need not do anything: without you, nothing is erased.'],
    },
    account_restored: {
      title: 'Your account was made again',
      preview: 'Your purchase is there. Please choose a new password.',
      texts: [
        'We had to restore our shop from a backup that is older than your account. Your account and what you paid for are there again; there is nothing to pay once more. Only your password is lost.',
        'To sign in, press the button and set a new one:',
      ],
      button: emailsTexts.shared.choosePassword,
      notes: [],
    },
  },
  reauthenticate: {
    title: 'Your code',
    preview: 'Type it where you asked for it.',
    text: 'Somebody who is signed in to your account wants to change it. Type this code where you asked for it:',
    notYou:
      'The code works for 10 minutes, once, and only in the browser that asked for it. You did not ask for it? Then somebody else is signed in to your account: choose “Forgot password?” where you sign in, and a new password ends that.',
  },
  erasureAsked: {
    title: 'Your account will be erased',
    preview: 'On {date}, unless you change your mind.',
    text: 'Somebody who is signed in to your account, probably you, asked us to erase it. This happens on {date}; an order that is still under way is finished first. Until then you can sign in and keep the account. There is no further email about it, because your address is deleted with it.',
    button: 'Keep my account',
    notYou: 'If this was not you, press the button, keep the account, and choose a new password.',
  },
  addressChange: {
    new: {
      subject: 'Please confirm your new email address',
      preview: 'For an account in the shop of {shop}.',
      title: 'Confirm your new email address',
      text: 'Somebody, probably you, asked for an account in the shop of {shop} to have this email address, {email}, from now on. It does once this button was pressed, and the one in the email to the old address.',
      button: 'Confirm the new address',
      notYou:
        'You did not ask for this? Then do not press the button: somebody may have mistyped an address, and without you nothing happens.',
    },
    current: {
      subject: 'The email address of your account is to change',
      preview: 'To {email}, once you confirm it.',
      title: 'Your email address is to change',
      text: 'Somebody who is signed in to your account in the shop of {shop}, probably you, asked for it to have the address {email} from now on. It does once this button was pressed, and the one in the email to that address.',
      button: 'Confirm the change',
      notYou:
        'You did not ask for this? Then do not press the button: without it your address stays. Somebody else is in your account: choose “Forgot password?” where you sign in, and a new password ends that, and this change.',
    },
    lasts:
      'The link works once, within 24 hours after the change was asked for. Until then the old address stays.',
  },
  addressChanged: {
    subject: 'The email address of your account was changed',
    preview: 'It is now {email}.',
    title: 'Your email address was changed',
    text: 'Your account now has the address {email}.',
    ended:
      'The new address was confirmed in another browser than the one that asked. So all devices were signed out, and the password, passkeys, authenticator apps and recovery codes from before do not work any more. Had you asked us to erase the account, that is called off, too.',
    choose: 'Choose a new password where you sign in:',
    notYou:
      'If this was not you, write to us at once: reply to this email, or use the contact form on the site.',
  },
  security: {
    password_changed: {
      title: 'Your password was changed',
      preview: 'All other devices were signed out.',
      text: 'The password of your account was changed, and all other devices were signed out.',
    },
    factor_added: {
      title: 'A second factor was added to your account',
      preview: 'Signing in asks for a code from now on.',
      text: 'A second factor was added to your account. Signing in now asks for a code from your authenticator app, besides your password.',
    },
    factor_removed: {
      title: 'A second factor was removed from your account',
      preview: 'It is not asked for any more.',
      text: 'A second factor was removed from your account. Its codes are not asked for any more.',
    },
    passkey_added: {
      title: 'A passkey was added to your account',
      preview: 'It signs in without a password.',
      text: 'A passkey was added to your account. It signs in without a password, and is asked for after your password as a second step.',
    },
    passkey_removed: {
      title: 'A passkey was removed from your account',
      preview: 'It does not sign in any more.',
      text: 'A passkey was removed from your account. It does not sign in any more.',
    },
    factors_reset: {
      title: 'The second factor of your account was reset',
      preview: 'You can sign in with your password alone again.',
      text: 'An admin of this shop has removed the second factor of your account, and signed it out on all devices. You can sign in with your password alone again.',
    },
    recovery_codes_made: {
      title: 'New recovery codes were made for your account',
      preview: 'The ones before do not work any more.',
      text: 'New recovery codes were made for your account. Each takes the place of your second factor once. If you had codes before, they do not work any more.',
    },
    data_taken: {
      title: 'Your data were opened',
      preview: 'Somebody who is signed in as you looked at all of them.',
      text: 'Somebody who is signed in to your account, probably you, opened the page with all the data that this shop has of you.',
    },
    erasure_canceled: {
      title: 'Your account stays',
      preview: 'It will not be erased.',
      text: 'Somebody who is signed in to your account, probably you, took the erasure back. Everything stays as it is.',
    },
    sessions_ended: {
      title: 'Your other devices were signed out',
      preview: 'All devices but the one that asked for it.',
      text: 'All other devices that were signed in to your account were signed out.',
    },
  },
  recoveryCodeUsed: {
    title: 'A recovery code of your account was used',
    preview: 'It took the place of your second factor.',
    text: 'A recovery code was used in place of your second factor. It does not work again.',
    remaining: 'Recovery codes that are left: {left}.',
    none: 'It was your last one. You can make new ones on your account page.',
  },
  securityHelp: {
    reply: 'If this was not you, reply to this email at once, and we help you.',
  },
  adminChanged: {
    admin_added: {
      subject: '{admin} is an admin of your shop now',
      text: '{admin} was made an admin of your shop. An admin sees everything in the admin area and may change it.',
    },
    admin_removed: {
      subject: '{admin} is no admin of your shop any more',
      text: '{admin} is no admin of your shop any more. The account and its purchases stay.',
    },
    admin_disabled: {
      subject: '{admin} was disabled as an admin',
      text: '{admin} is an admin of your shop, and the account was disabled. It is signed out on all devices and cannot sign in.',
    },
    admin_enabled: {
      subject: '{admin} was enabled again as an admin',
      text: '{admin} is an admin of your shop, and the account, which was disabled, can sign in again.',
    },
  },
  adminChangedHelp: {
    title: 'The admins of your shop have changed',
    preview: 'All admins get this email.',
    notMeant:
      'If no admin of the shop meant this, look at the list of admins and change your password at once:',
    button: 'See the admins',
  },
})
