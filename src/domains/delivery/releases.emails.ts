import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/texts.ts'
import { formatDay } from '#contract/intl.ts'
import type { Email } from '#platform/mail.ts'
import { signInAddress } from '#domains/accounts/links.ts'
import {
  button,
  greeting,
  help,
  paragraph,
  renderEmail,
  type MailBranding,
} from '#domains/mail/email-layout.ts'
import type { ReleaseEmail } from './releases.ts'

export async function out(releaseEmail: ReleaseEmail, branding: MailBranding): Promise<Email> {
  const texts = emailsTexts.releaseOut
  const product = releaseEmail.product_name
  const rendered = await renderEmail({
    subject: fill(texts.subject, { product }),
    preview: texts.preview,
    title: texts.title,
    branding,
    children: [
      greeting(releaseEmail.name),
      paragraph(fill(texts.text, { product })),
      releaseEmail.is_digital && !releaseEmail.is_guest && paragraph(texts.digital),
      releaseEmail.is_digital && releaseEmail.is_guest && paragraph(emailsTexts.edition.byCode),
      releaseEmail.ships && paragraph(texts.printed),
      button(texts.button, purchasesOf(releaseEmail, branding)),
      help(),
    ],
  })
  return { ...rendered, to: releaseEmail.to, replyTo: branding.authorEmail }
}

export async function moved(releaseEmail: ReleaseEmail, branding: MailBranding): Promise<Email> {
  const texts = emailsTexts.releaseMoved
  const names = { product: releaseEmail.product_name, date: formatDay(releaseEmail.release_on) }
  const rendered = await renderEmail({
    subject: fill(texts.subject, names),
    preview: fill(texts.preview, names),
    title: texts.title,
    branding,
    children: [
      greeting(releaseEmail.name),
      paragraph(fill(texts.text, names)),
      paragraph(texts.stands),
      releaseEmail.is_paid && paragraph(texts.takeBack),
      button(texts.button, purchasesOf(releaseEmail, branding)),
      help(),
    ],
  })
  return { ...rendered, to: releaseEmail.to, replyTo: branding.authorEmail }
}

const purchasesOf = ({ is_guest }: Pick<ReleaseEmail, 'is_guest'>, { siteUrl }: MailBranding) =>
  signInAddress(siteUrl, '/dashboard', is_guest ? 'code' : 'sign-in')
