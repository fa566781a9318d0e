import { emailsTexts } from '#words/emails.ts'
import { fill, forCount } from '#words/texts.ts'
import {
  button,
  paragraph,
  quotation,
  renderEmail,
  type Rendered,
  type MailBranding,
} from '#domains/mail/email-layout.ts'

type Outage = { summary: string; people: number; emails: string[] }

export function outageEmail({ summary, people, emails }: Outage, branding: MailBranding): Promise<Rendered> {
  const unnamed = people - emails.length
  return renderEmail({
    subject: emailsTexts.outage.title,
    preview: summary,
    title: emailsTexts.outage.title,
    branding,
    children: [
      paragraph(summary),
      paragraph(emailsTexts.outage.over),
      emails.length > 0 && quotation(emails.join('\n')),
      unnamed > 0 && paragraph(fill(forCount(emailsTexts.outage.unnamed, unnamed), { count: unnamed })),
      button(emailsTexts.outage.button, `${branding.siteUrl}/admin/payments`),
    ],
  })
}
