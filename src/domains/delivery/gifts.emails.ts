// The emails with a gift of a buyer, and with what the author grants.
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/texts.ts'
import type { Email } from '#platform/mail.ts'
import { giftLinkDays } from '#domains/accounts/links.ts'
import { button, greeting, help, paragraph, quiet, quotation } from '#domains/mail/email-blocks.ts'
import { renderEmail, type MailBranding } from '#domains/mail/email-layout.ts'
import { plainName } from '#domains/mail/plain-line.ts'

/** The copy is opened on this page; `signsIn` says that the link opens it without more. */
type GiftPage = { link: string; signsIn: boolean }

type RecipientMail = {
  email: string
  recipient_name: string
  sender_name: string
  note: string
  product_name: string
  page: GiftPage
}

export async function recipientEmail(
  { email, recipient_name, sender_name, note, product_name, page }: RecipientMail,
  branding: MailBranding,
): Promise<Email> {
  const texts = emailsTexts.giftToSomeone
  const names = { sender: plainName(sender_name), product: product_name }
  const rendered = await renderEmail({
    subject: fill(texts.subject, names),
    preview: texts.preview,
    title: fill(texts.title, names),
    branding,
    children: [
      greeting(recipient_name, emailsTexts.shared.hello),
      paragraph(fill(texts.given, names)),
      note !== '' && quotation(note),
      button(texts.button, page.link),
      signInLine(page),
      quiet(texts.unknown),
      help(),
    ],
  })
  return { ...rendered, to: email, replyTo: branding.authorEmail }
}

function signInLine({ signsIn }: GiftPage) {
  const texts = emailsTexts.gift
  return quiet(signsIn ? fill(texts.signsIn, { days: giftLinkDays }) : texts.signIn)
}

export type GrantMail = {
  branding: MailBranding
  to: string
  name: string | null
  message: string
  page: GiftPage
  product: { name: string; is_digital: boolean; ships: boolean }
}

export async function grantEmail({ branding, to, name, message, page, product }: GrantMail): Promise<Email> {
  const texts = emailsTexts.gift
  const rendered = await renderEmail({
    subject: fill(texts.subject, { product: product.name }),
    preview: texts.preview,
    title: texts.title,
    branding,
    children: [
      greeting(name),
      paragraph(fill(texts.given, { product: product.name })),
      message !== '' && branding.author !== '' && paragraph(fill(texts.note, { author: branding.author })),
      message !== '' && quotation(message),
      product.is_digital && paragraph(texts.digital),
      product.ships && paragraph(texts.printed),
      button(emailsTexts.giftToSomeone.button, page.link),
      signInLine(page),
      help(),
    ],
  })
  return { ...rendered, to }
}
