import { emailsTexts } from '#words/emails.ts'
import { fill, currentLocale } from '#words/texts.ts'
import type { Email } from '#platform/mail.ts'
import { signInAddress } from '#domains/accounts/links.ts'
import {
  button,
  facts,
  greeting,
  help,
  paragraph,
  quiet,
  quotation,
  renderEmail,
  type MailBranding,
  plainName,
} from '#domains/mail/email-layout.ts'
import type { UnopenedGift } from './gifts.ts'

type RecipientMail = UnopenedGift & { link: string; isReminder: boolean }

export async function recipientEmail(
  { purchase_id, email, recipient_name, sender_name, note, product_name, link, isReminder }: RecipientMail,
  branding: MailBranding,
): Promise<Email> {
  const texts = emailsTexts.giftToSomeone
  const isOfAuthor = purchase_id === null
  const waiting = isOfAuthor ? texts.waitingFromAuthor : texts.waiting
  const names = { sender: plainName(sender_name), product: product_name }
  const rendered = await renderEmail({
    subject: fill(isReminder ? texts.subjectWaiting : texts.subject, names),
    preview: texts.preview,
    title: fill(texts.title, names),
    branding,
    children: [
      greeting(recipient_name, emailsTexts.shared.hello),
      paragraph(fill(isReminder ? waiting : texts.given, names)),
      note !== '' && quotation(note),
      button(texts.button, link),
      !isOfAuthor && quiet(texts.unknown),
      help(),
    ],
  })
  return { ...rendered, to: email, replyTo: branding.authorEmail }
}

export async function unopenedEmail(gift: UnopenedGift, branding: MailBranding): Promise<Email> {
  const texts = emailsTexts.giftUnopened
  const product = gift.product_name
  const rendered = await renderEmail({
    subject: fill(texts.subject, { product }),
    preview: texts.preview,
    title: texts.title,
    branding,
    children: [
      greeting(gift.buyer_name),
      paragraph(fill(texts.text, { product })),
      facts([
        [texts.to, gift.email],
        ...(gift.sent_at ? [[texts.sent, formatDate(gift.sent_at)] as const] : []),
      ]),
      paragraph(texts.choices),
      button(texts.button, signInAddress(branding.siteUrl, '/dashboard')),
      help(),
    ],
  })
  return { ...rendered, to: gift.buyer_email, replyTo: branding.authorEmail }
}

const formatDate = (at: string) =>
  new Date(at).toLocaleDateString(currentLocale(), { dateStyle: 'long', timeZone: 'UTC' })
