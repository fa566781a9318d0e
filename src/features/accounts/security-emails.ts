// Mails that tell an account's owner of what guards it: a change that the owner did not make must not go unseen.
import { button, paragraph } from '../mails/email-blocks.ts'
import { renderEmail, type Rendered } from '../mails/email-layout.ts'
import type { Letterhead } from '../mails/letterhead.ts'

const words = {
  factor_added: {
    subject: 'A second factor was added to your account',
    preview: 'Signing in asks for a code from now on.',
    text: 'A second factor was added to your account. Signing in now asks for a code from your authenticator app, besides your password.',
    help: 'answer',
  },
  factor_removed: {
    subject: 'A second factor was removed from your account',
    preview: 'It is not asked for any more.',
    text: 'A second factor was removed from your account. Its codes are not asked for any more.',
    help: 'password',
  },
  factors_reset: {
    subject: 'The second factor of your account was reset',
    preview: 'You can sign in with your password alone again.',
    text: 'An admin of this shop has removed the second factor of your account, and signed it out on all devices. You can sign in with your password alone again.',
    help: 'answer',
  },
  sessions_ended: {
    subject: 'Your other devices were signed out',
    preview: 'All devices but the one that asked for it.',
    text: 'All other devices that were signed in to your account were signed out.',
    help: 'password',
  },
} as const

export function securityEmail(kind: keyof typeof words, letterhead: Letterhead): Promise<Rendered> {
  const { subject, preview, text, help } = words[kind]
  const advice =
    help === 'password'
      ? [
          paragraph('If this was not you, choose a new password at once:'),
          button('Forgot password?', `${letterhead.siteUrl}/auth`),
        ]
      : [paragraph('If this was not you, reply to this email at once, and we help you.')]
  return renderEmail({ subject, preview, title: subject, letterhead, children: [paragraph(text), ...advice] })
}

const adminWords = {
  admin_added: {
    subject: 'is an admin of your shop now',
    text: 'was made an admin of your shop. An admin sees everything in the admin area and may change it.',
  },
  admin_removed: {
    subject: 'is no admin of your shop any more',
    text: 'is no admin of your shop any more. The account and its purchases stay.',
  },
  admin_disabled: {
    subject: 'was disabled as an admin',
    text: 'is an admin of your shop, and the account was disabled. It is signed out on all devices and cannot sign in.',
  },
  admin_enabled: {
    subject: 'was enabled again as an admin',
    text: 'is an admin of your shop, and the account, which was disabled, can sign in again.',
  },
} as const

/** `admin` is the address of the account that was changed. */
export function adminChangedEmail(
  kind: keyof typeof adminWords,
  admin: string,
  letterhead: Letterhead,
): Promise<Rendered> {
  const { subject, text } = adminWords[kind]
  const children = [
    paragraph(`${admin} ${text}`),
    paragraph(
      'If no admin of the shop meant this, look at the list of admins and change your password at once:',
    ),
    button('See the admins', `${letterhead.siteUrl}/admin/settings/admins`),
  ]
  return renderEmail({
    subject: `${admin} ${subject}`,
    preview: 'All admins get this email.',
    title: 'The admins of your shop have changed',
    letterhead,
    children,
  })
}
