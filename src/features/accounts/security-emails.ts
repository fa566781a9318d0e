// Mails that tell an account's owner of what guards it: a change that the owner did not make must not go unseen.
import { accountEmailsTexts } from '#words/account-emails.ts'
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/fill.ts'
import { button, paragraph } from '../mails/email-blocks.ts'
import { renderEmail, type Rendered } from '../mails/email-layout.ts'
import type { Letterhead } from '../mails/letterhead.ts'

export function securityEmail(
  kind: keyof typeof accountEmailsTexts.security,
  letterhead: Letterhead,
): Promise<Rendered> {
  const { title, preview, text } = accountEmailsTexts.security[kind]
  const { notYouPassword, forgotPassword } = emailsTexts.shared
  const isByPassword = kind === 'factor_removed' || kind === 'sessions_ended'
  const advice = isByPassword
    ? [paragraph(notYouPassword), button(forgotPassword, `${letterhead.siteUrl}/auth`)]
    : [paragraph(accountEmailsTexts.securityHelp.reply)]
  return renderEmail({ subject: title, preview, title, letterhead, children: [paragraph(text), ...advice] })
}

/** `admin` is the address of the account that was changed. */
export function adminChangedEmail(
  kind: keyof typeof accountEmailsTexts.adminChanged,
  admin: string,
  letterhead: Letterhead,
): Promise<Rendered> {
  const { subject, text } = accountEmailsTexts.adminChanged[kind]
  const { title, preview, notMeant, button: label } = accountEmailsTexts.adminChangedHelp
  return renderEmail({
    subject: fill(subject, { admin }),
    preview,
    title,
    letterhead,
    children: [
      paragraph(fill(text, { admin })),
      paragraph(notMeant),
      button(label, `${letterhead.siteUrl}/admin/settings/admins`),
    ],
  })
}
