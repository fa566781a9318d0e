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
      : [paragraph('If this was not you, answer this mail at once, and we help you.')]
  return renderEmail({ subject, preview, title: subject, letterhead, children: [paragraph(text), ...advice] })
}
