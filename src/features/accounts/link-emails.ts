// Mails about an account. Each link leads to a button on the site: merely opening it does nothing.
import { button, greeting, paragraph, quiet } from '../mails/email-blocks.ts'
import { renderEmail, type Rendered } from '../mails/email-layout.ts'
import type { Letterhead } from '../mails/letterhead.ts'

type LinkMail = { letterhead: Letterhead; link: string; display_name?: string | undefined }

export function verifyEmail({ letterhead, link, display_name }: LinkMail): Promise<Rendered> {
  return renderEmail({
    subject: 'Please confirm your email address',
    preview: 'One press, and your account is ready.',
    title: 'Confirm your email address',
    letterhead,
    children: [
      greeting(display_name, 'Hello,'),
      paragraph('Someone asked for an account with this email address. Confirm it and you are signed in.'),
      button('Confirm my email', link),
      quiet('The link works for 24 hours, once.'),
      quiet(
        'You did not ask for this? Then do not press the button: without it, no account is made, and the password that was chosen is thrown away.',
      ),
    ],
  })
}

/** To an address that has an account, when it is used for another sign-up: the response to the sign-up does not tell. */
export function accountExistsEmail({
  letterhead,
  signInUrl,
}: {
  letterhead: Letterhead
  signInUrl: string
}): Promise<Rendered> {
  return renderEmail({
    subject: 'You already have an account',
    preview: 'Sign in with it, or choose a new password.',
    title: 'You already have an account',
    letterhead,
    children: [
      greeting(undefined, 'Hello,'),
      paragraph(
        'Somebody, probably you, asked for an account with this email address. You have one already.',
      ),
      button('Sign in', signInUrl),
      quiet('If you do not remember your password, choose “Forgot password?” there.'),
      quiet('This was not you? Then you need not do anything: nothing was changed.'),
    ],
  })
}

export function resetEmail({ letterhead, link, display_name }: LinkMail): Promise<Rendered> {
  return renderEmail({
    subject: 'Choose a new password',
    preview: 'Here is the link you asked for.',
    title: 'Choose a new password',
    letterhead,
    children: [
      greeting(display_name, 'Hello,'),
      paragraph('Somebody, probably you, asked for a new password for your account.'),
      button('Choose a new password', link),
      quiet('The link works for one hour, once.'),
      quiet('You did not ask for this? Then you need not do anything: your password stays as it is.'),
    ],
  })
}

/** To an account that an admin has made for somebody else. */
export function invitationEmail({ letterhead, link }: LinkMail): Promise<Rendered> {
  return renderEmail({
    subject: 'You are an admin now',
    preview: 'Choose a password, and you are signed in.',
    title: 'You are an admin now',
    letterhead,
    children: [
      greeting(undefined, 'Hello,'),
      paragraph(
        `An account was made for you with this email address. It may do everything in the admin area of ${letterhead.siteUrl}.`,
      ),
      button('Choose a password', link),
      quiet(
        'The link works for one hour, once. Afterwards choose “Forgot password?” where you sign in, and you get another.',
      ),
      quiet(
        'You do not know this shop? Then you need not do anything: without a password nobody can sign in.',
      ),
    ],
  })
}

export function emailChangeEmail({ letterhead, link, display_name }: LinkMail): Promise<Rendered> {
  return renderEmail({
    subject: 'Please confirm your new email address',
    preview: 'One press, and your account has its new address.',
    title: 'Confirm your new email address',
    letterhead,
    children: [
      greeting(display_name, 'Hello,'),
      paragraph('Your account is to have this email address from now on.'),
      button('Confirm the new address', link),
      quiet('The link works for 24 hours, once. Until then the old address stays.'),
    ],
  })
}

/** To the old address: a change nobody asked for should not go unseen. */
export function emailChangedEmail({
  letterhead,
  newEmail,
}: {
  letterhead: Letterhead
  newEmail: string
}): Promise<Rendered> {
  return renderEmail({
    subject: 'The email address of your account was changed',
    preview: `It is now ${newEmail}.`,
    title: 'Your email address was changed',
    letterhead,
    children: [
      paragraph(`Your account now has the address ${newEmail}.`),
      paragraph(
        'If this was not you, write to us at once: reply to this email, or use the contact form on the site.',
      ),
    ],
  })
}

export function passwordChangedEmail({ letterhead }: { letterhead: Letterhead }): Promise<Rendered> {
  return renderEmail({
    subject: 'Your password was changed',
    preview: 'All other devices were signed out.',
    title: 'Your password was changed',
    letterhead,
    children: [
      paragraph('The password of your account was changed, and all other devices were signed out.'),
      paragraph('If this was not you, choose a new password at once:'),
      button('Forgot password?', `${letterhead.siteUrl}/auth`),
    ],
  })
}

/** To a buyer whose account is younger than the backup from which the shop was restored. */
export function accountRestoredEmail({ letterhead }: { letterhead: Letterhead }): Promise<Rendered> {
  return renderEmail({
    subject: 'Your account was made again',
    preview: 'Your purchase is there. Please choose a new password.',
    title: 'Your account was made again',
    letterhead,
    children: [
      greeting(undefined, 'Hello,'),
      paragraph(
        'We had to restore our shop from a backup that is older than your account. Your account and what you paid for are there again; there is nothing to pay once more. Only your password is lost.',
      ),
      paragraph('To sign in, press the button, choose “Forgot password?” and set a new one:'),
      button('Forgot password?', `${letterhead.siteUrl}/auth`),
    ],
  })
}
