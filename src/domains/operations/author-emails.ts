// All emails to the author that tell what happened in the shop, but for the message that a visitor writes. To add one: a
// file with its `AuthorEmail`, and its line in `authorEmails`.
import { z } from 'zod'
import { emailsTexts } from '#words/emails.ts'
import { link, quiet } from '#domains/mail/email-blocks.ts'
import { renderEmail } from '#domains/mail/email-layout.ts'
import { defineMailJob } from '#domains/mail/send-mail.ts'
import type { AuthorEmail } from './author-email.ts'
import { dailySales } from './daily-sales.ts'
import { dispute } from './dispute.ts'
import { failures } from './failures.ts'
import { parcels } from './parcels.ts'
import { refundAsked } from './refund-asked.ts'
import { sale } from './sale.ts'
import { weeklySummary } from './weekly-summary.ts'

const authorEmails = {
  sale,
  daily_sales: dailySales,
  parcels,
  failures,
  refund_asked: refundAsked,
  dispute,
  weekly_summary: weeklySummary,
} satisfies Record<string, AuthorEmail>

export type AuthorEmailName = keyof typeof authorEmails
const names = Object.keys(authorEmails) as [AuthorEmailName, ...AuthorEmailName[]]

export const authorEmailJob = defineMailJob({
  name: 'mail.author',
  kinds: ['author'],
  payload: z.object({ name: z.enum(names), id: z.string() }),
  async compose(services, { name, id }, letterhead) {
    const { setting, compose } = authorEmails[name]
    if (!services.settings.get().author_emails[setting]) return undefined
    const content = await compose(services, id, letterhead.siteUrl)
    if (!content) return undefined
    const settings = link(emailsTexts.author.choose, `${letterhead.siteUrl}/admin/settings/emails`)
    const email = await renderEmail({
      ...content,
      letterhead,
      children: [...content.children, quiet(settings)],
    })
    return { kind: 'author', email: { ...email, to: letterhead.authorEmail } }
  },
})
