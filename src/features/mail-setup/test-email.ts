// The mail that shows an admin that mails arrive.
import { emailsTexts } from '#words/emails.ts'
import { paragraph, quiet } from '../mails/email-blocks.ts'
import { renderEmail, type Rendered } from '../mails/email-layout.ts'
import type { Letterhead } from '../mails/letterhead.ts'

export function testEmail(letterhead: Letterhead): Promise<Rendered> {
  return renderEmail({
    subject: emailsTexts.test.title,
    preview: emailsTexts.test.preview,
    title: emailsTexts.test.title,
    letterhead,
    children: [paragraph(emailsTexts.test.text), quiet(emailsTexts.test.spam)],
  })
}
