// Emails about new editions, and about the day of a release.
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/texts.ts'
import type { Email } from '#platform/mail.ts'
import { purchasesAddress } from '#domains/accounts/links.ts'
import {
  button,
  facts,
  greeting,
  help,
  link,
  paragraph,
  quiet,
  quotation,
} from '#domains/mail/email-blocks.ts'
import { renderEmail, type MailBranding } from '#domains/mail/email-layout.ts'
import type { FileFormat } from '#contract/catalog/products.ts'
import { formatDay } from '#contract/intl.ts'
import type { ReleaseEmail } from './release-mail.ts'

export type EditionMail = {
  to: string
  name: string | null
  /** Bought without an account, and nobody has signed in to the one that was made since. */
  is_guest: boolean
  has_no_password: boolean
  /** The reader has paid for it; else it came as a free copy or as a gift. */
  is_buyer: boolean
  product_name: string
  edition: number
  changes: string
  /** The newest file of each format of the product. */
  files: { file_format: FileFormat; edition: number }[]
  choicesUrl: string
}

export async function editionEmail(mail: EditionMail, branding: MailBranding): Promise<Email> {
  const { to, name, is_guest, is_buyer, product_name, changes, files, choicesUrl } = mail
  const texts = emailsTexts.edition
  const rendered = await renderEmail({
    subject: fill(texts.subject, { product: product_name }),
    preview: changes.slice(0, 120) || texts.preview,
    title: texts.title,
    branding,
    children: [
      greeting(name),
      paragraph(fill(is_buyer ? texts.ready : texts.readyFree, { product: product_name })),
      changes !== '' && quotation(changes),
      facts(
        files.map(({ file_format, edition }) => [file_format.toUpperCase(), fill(texts.number, { edition })]),
      ),
      mail.has_no_password && paragraph(byCode(is_guest && is_buyer)),
      button(texts.button, purchasesAddress(mail, branding.siteUrl)),
      quiet(texts.earlier),
      help(),
      quiet(texts.why, ' ', link(texts.stop, choicesUrl, { isSecret: true })),
    ],
  })
  return { ...rendered, to, replyTo: branding.authorEmail, unsubscribeUrl: choicesUrl }
}

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
      releaseEmail.is_digital && !releaseEmail.has_no_password && paragraph(texts.digital),
      releaseEmail.is_digital &&
        releaseEmail.has_no_password &&
        paragraph(byCode(releaseEmail.is_guest && releaseEmail.is_paid)),
      releaseEmail.ships && paragraph(texts.printed),
      button(texts.button, purchasesAddress(releaseEmail, branding.siteUrl)),
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
      releaseEmail.can_take_back && paragraph(texts.takeBack),
      button(texts.button, purchasesAddress(releaseEmail, branding.siteUrl)),
      help(),
    ],
  })
  return { ...rendered, to: releaseEmail.to, replyTo: branding.authorEmail }
}

/** Who has bought without an account hears so; a recipient of a copy has an account, without a password. */
const byCode = (boughtAsGuest: boolean) =>
  boughtAsGuest ? emailsTexts.edition.byCode : emailsTexts.edition.byCodeFree
