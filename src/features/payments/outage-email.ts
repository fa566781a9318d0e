import { button, paragraph, quotation } from '../mails/email-blocks.ts'
import { renderEmail, type Rendered } from '../mails/email-layout.ts'
import type { Letterhead } from '../mails/letterhead.ts'

type Outage = { summary: string; people: number; emails: string[] }

export function outageEmail({ summary, people, emails }: Outage, letterhead: Letterhead): Promise<Rendered> {
  const unnamed = people - emails.length
  return renderEmail({
    subject: 'Nobody could pay for a while',
    preview: summary,
    title: 'Nobody could pay for a while',
    letterhead,
    children: [
      paragraph(summary),
      paragraph('It is over: a payment page has opened since. You may want to write to those who tried:'),
      emails.length > 0 && quotation(emails.join('\n')),
      unnamed > 0 && paragraph(`${unnamed} more without an address here.`),
      button('Open what needs attention', `${letterhead.siteUrl}/admin/payments`),
    ],
  })
}
