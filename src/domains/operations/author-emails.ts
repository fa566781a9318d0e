// All emails to the author that tell what happened in the shop. To add one: a file with its `AuthorEmail`, its name in
// contract/operations/author-emails.ts, and its line here.
import type { WithAuthorEmails } from '#domains/mail/author-emails.ts'
import { dailySales } from './daily-sales.ts'
import { dispute } from './dispute.ts'
import { failures } from './failures.ts'
import { parcels } from './parcels.ts'
import { refundAsked } from './refund-asked.ts'
import { sale } from './sale.ts'
import { weeklySummary } from './weekly-summary.ts'

export const authorEmails: WithAuthorEmails['authorEmails'] = {
  sale,
  daily_sales: dailySales,
  parcels,
  failures,
  refund_asked: refundAsked,
  dispute,
  weekly_summary: weeklySummary,
}
