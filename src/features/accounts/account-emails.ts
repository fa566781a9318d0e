// Emails about an account. Each link leads to a button on the site: merely opening it does nothing.
import { accountEmailsTexts } from '#words/account-emails.ts'
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/fill.ts'
import { button, greeting, paragraph, quiet } from '../mails/email-blocks.ts'
import { renderEmail, type Rendered } from '../mails/email-layout.ts'
import type { Letterhead } from '../mails/letterhead.ts'

type LinkMail = { letterhead: Letterhead; link: string; display_name?: string | undefined }

export function verifyEmail({ letterhead, link, display_name }: LinkMail): Promise<Rendered> {
  return renderEmail({
    subject: accountEmailsTexts.verify.subject,
    preview: accountEmailsTexts.verify.preview,
    title: accountEmailsTexts.verify.title,
    letterhead,
    children: [
      greeting(display_name, emailsTexts.shared.hello),
      paragraph(accountEmailsTexts.verify.asked),
      button(accountEmailsTexts.verify.button, link),
      quiet(accountEmailsTexts.verify.expires),
      quiet(accountEmailsTexts.verify.notYou),
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
    subject: accountEmailsTexts.accountExists.title,
    preview: accountEmailsTexts.accountExists.preview,
    title: accountEmailsTexts.accountExists.title,
    letterhead,
    children: [
      greeting(undefined, emailsTexts.shared.hello),
      paragraph(accountEmailsTexts.accountExists.asked),
      button(accountEmailsTexts.accountExists.button, signInUrl),
      quiet(accountEmailsTexts.accountExists.forgotten),
      quiet(accountEmailsTexts.accountExists.notYou),
    ],
  })
}

export function resetEmail({ letterhead, link, display_name }: LinkMail): Promise<Rendered> {
  return renderEmail({
    subject: accountEmailsTexts.reset.title,
    preview: accountEmailsTexts.reset.preview,
    title: accountEmailsTexts.reset.title,
    letterhead,
    children: [
      greeting(display_name, emailsTexts.shared.hello),
      paragraph(accountEmailsTexts.reset.asked),
      button(accountEmailsTexts.reset.title, link),
      quiet(accountEmailsTexts.reset.expires),
      quiet(accountEmailsTexts.reset.notYou),
    ],
  })
}

/** To an account that an admin has made for somebody else. */
export function invitationEmail({ letterhead, link }: LinkMail): Promise<Rendered> {
  return renderEmail({
    subject: accountEmailsTexts.invitation.title,
    preview: accountEmailsTexts.invitation.preview,
    title: accountEmailsTexts.invitation.title,
    letterhead,
    children: [
      greeting(undefined, emailsTexts.shared.hello),
      paragraph(fill(accountEmailsTexts.invitation.made, { site: letterhead.siteUrl })),
      button(accountEmailsTexts.invitation.button, link),
      quiet(accountEmailsTexts.invitation.expires),
      quiet(accountEmailsTexts.invitation.unknown),
    ],
  })
}

export function emailChangeEmail({ letterhead, link, display_name }: LinkMail): Promise<Rendered> {
  return renderEmail({
    subject: accountEmailsTexts.emailChange.subject,
    preview: accountEmailsTexts.emailChange.preview,
    title: accountEmailsTexts.emailChange.title,
    letterhead,
    children: [
      greeting(display_name, emailsTexts.shared.hello),
      paragraph(accountEmailsTexts.emailChange.text),
      button(accountEmailsTexts.emailChange.button, link),
      quiet(accountEmailsTexts.emailChange.expires),
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
    subject: accountEmailsTexts.emailChanged.subject,
    preview: fill(accountEmailsTexts.emailChanged.preview, { email: newEmail }),
    title: accountEmailsTexts.emailChanged.title,
    letterhead,
    children: [
      paragraph(fill(accountEmailsTexts.emailChanged.text, { email: newEmail })),
      paragraph(accountEmailsTexts.emailChanged.notYou),
    ],
  })
}

export function passwordChangedEmail({ letterhead }: { letterhead: Letterhead }): Promise<Rendered> {
  return renderEmail({
    subject: accountEmailsTexts.passwordChanged.title,
    preview: accountEmailsTexts.passwordChanged.preview,
    title: accountEmailsTexts.passwordChanged.title,
    letterhead,
    children: [
      paragraph(accountEmailsTexts.passwordChanged.text),
      paragraph(emailsTexts.shared.notYouPassword),
      button(emailsTexts.shared.forgotPassword, `${letterhead.siteUrl}/auth`),
    ],
  })
}

/** To a buyer whose account is younger than the backup from which the shop was restored. */
export function accountRestoredEmail({ letterhead }: { letterhead: Letterhead }): Promise<Rendered> {
  return renderEmail({
    subject: accountEmailsTexts.accountRestored.title,
    preview: accountEmailsTexts.accountRestored.preview,
    title: accountEmailsTexts.accountRestored.title,
    letterhead,
    children: [
      greeting(undefined, emailsTexts.shared.hello),
      paragraph(accountEmailsTexts.accountRestored.text),
      paragraph(accountEmailsTexts.accountRestored.signIn),
      button(emailsTexts.shared.forgotPassword, `${letterhead.siteUrl}/auth`),
    ],
  })
}

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
