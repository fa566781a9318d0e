// Brings a visitor's message to the author; a response goes to the visitor.
import { replyTime } from './contract/reply-time.ts'
import { facts, quiet, quotation } from '../mails/email-blocks.ts'
import { renderEmail, type Rendered } from '../mails/email-layout.ts'
import type { Letterhead } from '../mails/letterhead.ts'
import { plainLine, plainName } from '../mails/plain-text.ts'

type Message = { letterhead: Letterhead; name: string; email: string; subject: string; message: string }

export function contactNoticeEmail({ letterhead, email, message, ...given }: Message): Promise<Rendered> {
  const [name, subject] = [plainName(given.name), plainLine(given.subject, 150)]
  return renderEmail({
    subject: `Message from ${name}: ${subject}`,
    preview: message.slice(0, 120),
    title: 'A reader has written to you',
    letterhead,
    children: [
      facts([
        ['From', name],
        ['Email', email],
        ['Subject', subject],
      ]),
      quotation(message),
      quiet(`Reply to this email to write to ${name}. The site promised a reply within ${replyTime}.`),
    ],
  })
}
