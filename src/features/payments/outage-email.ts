// Tells the author, once it is over, that nobody could pay for a while, and who.
import { button, paragraph, quotation } from '../mails/email-blocks.ts'
import { renderEmail, type Rendered } from '../mails/email-layout.ts'
import type { Letterhead } from '../mails/letterhead.ts'
import { describeOutage } from './outage-words.ts'

type Outage = Parameters<typeof describeOutage>[0] & { emails: string[]; time_zone: string }

export function outageEmail(outage: Outage, letterhead: Letterhead): Promise<Rendered> {
  const { emails, people, time_zone } = outage
  const words = describeOutage(outage, time_zone)
  const unnamed = people - emails.length
  return renderEmail({
    subject: 'Nobody could pay for a while',
    preview: words,
    title: 'Nobody could pay for a while',
    letterhead,
    children: [
      paragraph(words),
      paragraph('It is over: a payment page has opened since. You may want to write to those who tried:'),
      emails.length > 0 && quotation(emails.join('\n')),
      unnamed > 0 && paragraph(`${unnamed} more without an address here.`),
      button('Open what needs attention', `${letterhead.siteUrl}/admin/payments`),
    ],
  })
}
