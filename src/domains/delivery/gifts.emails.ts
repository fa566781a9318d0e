import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/fill.ts'
import { currentLocale } from '#words/texts.ts'
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
  type Letterhead,
  plainName,
} from '#domains/mail/email-layout.ts'
import type { UnopenedGift } from './gifts.ts'

type RecipientMail = UnopenedGift & { link: string; isReminder: boolean }

export async function recipientEmail(
  { email, recipient_name, sender_name, note, product_name, link, isReminder }: RecipientMail,
  letterhead: Letterhead,
): Promise<Email> {
  const texts = emailsTexts.giftToSomeone
  const names = { sender: plainName(sender_name), product: product_name }
  const rendered = await renderEmail({
    subject: fill(isReminder ? texts.subjectWaiting : texts.subject, names),
    preview: texts.preview,
    title: fill(texts.title, names),
    letterhead,
    children: [
      greeting(recipient_name, emailsTexts.shared.hello),
      paragraph(fill(isReminder ? texts.waiting : texts.given, names)),
      note !== '' && quotation(note),
      button(texts.button, link),
      quiet(texts.unknown),
      help(),
    ],
  })
  return { ...rendered, to: email, replyTo: letterhead.authorEmail }
}

export async function unopenedEmail(gift: UnopenedGift, letterhead: Letterhead): Promise<Email> {
  const texts = emailsTexts.giftUnopened
  const product = gift.product_name
  const rendered = await renderEmail({
    subject: fill(texts.subject, { product }),
    preview: texts.preview,
    title: texts.title,
    letterhead,
    children: [
      greeting(gift.buyer_name),
      paragraph(fill(texts.text, { product })),
      facts([
        [texts.to, gift.email],
        ...(gift.sent_at ? [[texts.sent, formatDate(gift.sent_at)] as const] : []),
      ]),
      paragraph(texts.choices),
      button(texts.button, signInAddress(letterhead.siteUrl, '/dashboard')),
      help(),
    ],
  })
  return { ...rendered, to: gift.buyer_email, replyTo: letterhead.authorEmail }
}

const formatDate = (at: string) =>
  new Date(at).toLocaleDateString(currentLocale(), { dateStyle: 'long', timeZone: 'UTC' })
