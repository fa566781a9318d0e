// The mail that shows an admin that mails arrive.
import { paragraph, quiet } from '../mails/email-blocks.ts'
import { renderEmail, type Rendered } from '../mails/email-layout.ts'
import type { Letterhead } from '../mails/letterhead.ts'

export function testEmail(letterhead: Letterhead): Promise<Rendered> {
  return renderEmail({
    subject: 'Your shop can send email',
    preview: 'This is the test that was asked for in the admin area.',
    title: 'Your shop can send email',
    letterhead,
    children: [
      paragraph('This is the test that you asked for. Receipts and confirmations take the same way.'),
      quiet('It lies in the spam folder? Then look at the records of your domain under Settings, Mail.'),
    ],
  })
}
