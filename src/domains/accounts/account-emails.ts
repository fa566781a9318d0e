// Emails about an account. Each link leads to a button on the site: merely opening it does nothing.
import { accountEmailsTexts } from '#words/account-emails.ts'
import { emailsTexts } from '#words/emails.ts'
import { currentLocale } from '#words/texts.ts'
import { fill } from '#words/fill.ts'
import { button, code as codeBlock, greeting, paragraph, quiet } from '#domains/mail/email-blocks.ts'
import { renderEmail, type Rendered } from '#domains/mail/email-layout.ts'
import type { Letterhead } from '#domains/mail/letterhead.ts'
import type { Mailbox } from '#contract/accounts/own-account.ts'

type LinkEmail = {
  letterhead: Letterhead
  link: string
  code?: string | undefined
  display_name?: string | undefined
}

export function linkEmail(
  kind: keyof typeof accountEmailsTexts.link,
  { letterhead, link, code, display_name }: LinkEmail,
): Promise<Rendered> {
  const { texts, button: label, notes, ...heading } = accountEmailsTexts.link[kind]
  return renderEmail({
    ...heading,
    letterhead,
    children: [
      greeting(display_name, emailsTexts.shared.hello),
      ...texts.map((text) => paragraph(fill(text, { site: letterhead.siteUrl }))),
      button(label, link),
      ...(code ? [paragraph(accountEmailsTexts.code), codeBlock(code)] : []),
      ...notes.map((note) => quiet(note)),
    ],
  })
}

/** For who is signed in already: without a link, so that it opens nothing elsewhere. */
export function codeEmail(code: string | undefined, letterhead: Letterhead): Promise<Rendered> {
  const { text, notYou, ...heading } = accountEmailsTexts.reauthenticate
  return renderEmail({
    ...heading,
    letterhead,
    children: [paragraph(text), ...(code ? [codeBlock(code)] : []), quiet(notYou)],
  })
}

type AddressLinkEmail = { letterhead: Letterhead; link: string; new_email: string }

export function addressLinkEmail(
  mailbox: Mailbox,
  { letterhead, link, new_email: email }: AddressLinkEmail,
): Promise<Rendered> {
  const { preview, text, button: label, notYou, ...heading } = accountEmailsTexts.addressChange[mailbox]
  return renderEmail({
    ...heading,
    preview: fill(preview, { email, shop: letterhead.title }),
    letterhead,
    children: [
      paragraph(fill(text, { email, shop: letterhead.title })),
      button(label, link),
      quiet(accountEmailsTexts.addressChange.lasts),
      quiet(notYou),
    ],
  })
}

type AddressChanged = { email: string; new_email: string; endsCredentials: boolean }

export function addressChangedEmail(
  { email, new_email, endsCredentials }: AddressChanged,
  letterhead: Letterhead,
): Promise<Rendered> {
  const { preview, text, notYou, ended, choose, ...heading } = accountEmailsTexts.addressChanged
  return renderEmail({
    ...heading,
    preview: fill(preview, { email: new_email }),
    letterhead,
    children: [
      paragraph(fill(text, { email: new_email })),
      endsCredentials && paragraph(ended),
      ...(endsCredentials && email === new_email
        ? [paragraph(choose), button(emailsTexts.shared.forgotPassword, `${letterhead.siteUrl}/auth`)]
        : []),
      paragraph(notYou),
    ],
  })
}

export function erasureAskedEmail(due_at: string, letterhead: Letterhead): Promise<Rendered> {
  const { preview, text, button: label, notYou, ...heading } = accountEmailsTexts.erasureAsked
  const date = new Date(due_at).toLocaleDateString(currentLocale(), { dateStyle: 'long', timeZone: 'UTC' })
  return renderEmail({
    ...heading,
    preview: fill(preview, { date }),
    letterhead,
    children: [
      paragraph(fill(text, { date })),
      button(label, `${letterhead.siteUrl}/account`),
      quiet(notYou),
    ],
  })
}

export function recoveryCodeUsedEmail(left: number, letterhead: Letterhead): Promise<Rendered> {
  const { text, remaining, none, ...heading } = accountEmailsTexts.recoveryCodeUsed
  const rest = left === 0 ? none : fill(remaining, { left })
  const { notYouPassword, forgotPassword } = emailsTexts.shared
  return renderEmail({
    ...heading,
    letterhead,
    children: [
      paragraph(text),
      paragraph(rest),
      paragraph(notYouPassword),
      button(forgotPassword, `${letterhead.siteUrl}/auth`),
    ],
  })
}

/** What a new password does not help against. */
const answered = new Set<string>(['factor_added', 'passkey_added', 'factors_reset'])

export function securityEmail(
  kind: keyof typeof accountEmailsTexts.security,
  letterhead: Letterhead,
): Promise<Rendered> {
  const { text, ...heading } = accountEmailsTexts.security[kind]
  const { notYouPassword, forgotPassword } = emailsTexts.shared
  const advice = answered.has(kind)
    ? [paragraph(accountEmailsTexts.securityHelp.reply)]
    : [paragraph(notYouPassword), button(forgotPassword, `${letterhead.siteUrl}/auth`)]
  return renderEmail({ ...heading, letterhead, children: [paragraph(text), ...advice] })
}

export function adminChangedEmail(
  kind: keyof typeof accountEmailsTexts.adminChanged,
  admin: string,
  letterhead: Letterhead,
): Promise<Rendered> {
  const { subject, text } = accountEmailsTexts.adminChanged[kind]
  const { notMeant, button: label, ...heading } = accountEmailsTexts.adminChangedHelp
  return renderEmail({
    ...heading,
    subject: fill(subject, { admin }),
    letterhead,
    children: [
      paragraph(fill(text, { admin })),
      paragraph(notMeant),
      button(label, `${letterhead.siteUrl}/admin/settings/admins`),
    ],
  })
}
