import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/fill.ts'
import type { Email } from '#platform/mail.ts'
import { signInAddress } from '../accounts/links.ts'
import { button, facts, greeting, help, link, paragraph, quiet, quotation } from '../mails/email-blocks.ts'
import { renderEmail } from '../mails/email-layout.ts'
import type { Letterhead } from '../mails/letterhead.ts'
import type { FileFormat } from '../products/contract/file-formats.ts'

export type EditionMail = {
  to: string
  name: string | null
  product_name: string
  edition: number
  changes: string
  /** The newest file of each format of the product. */
  files: { file_format: FileFormat; edition: number }[]
  choicesUrl: string
}

export async function editionEmail(mail: EditionMail, letterhead: Letterhead): Promise<Email> {
  const { to, name, product_name, changes, files, choicesUrl } = mail
  const texts = emailsTexts.edition
  const rendered = await renderEmail({
    subject: fill(texts.subject, { product: product_name }),
    preview: changes.slice(0, 120) || texts.preview,
    title: texts.title,
    letterhead,
    children: [
      greeting(name),
      paragraph(fill(texts.ready, { product: product_name })),
      changes !== '' && quotation(changes),
      facts(
        files.map(({ file_format, edition }) => [file_format.toUpperCase(), fill(texts.number, { edition })]),
      ),
      button(texts.button, signInAddress(letterhead.siteUrl, '/dashboard')),
      quiet(texts.earlier),
      help(),
      quiet(texts.why, ' ', link(texts.stop, choicesUrl, { isSecret: true })),
    ],
  })
  return { ...rendered, to, replyTo: letterhead.authorEmail, unsubscribeUrl: choicesUrl }
}
