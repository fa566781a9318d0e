import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/fill.ts'
import { addCents, formatMoney, fromCents } from '#contract/money.ts'
import { midnight } from '#platform/db/days.ts'
import { cents, queryAll } from '#platform/db/query.ts'
import { button, facts } from '#domains/mail/email-blocks.ts'
import type { AuthorEmail } from '#domains/mail/author-emails.ts'
import { dateOf } from './date-of.ts'
import { isLiveSale, maxSingleSales } from './live-sales.ts'

const row = z.object({ name: z.string(), count: z.number(), amount: cents })

/** The id is a day, as 2026-11-05: of one with many sales, on the next morning. */
export const dailySales: AuthorEmail = {
  setting: 'sale',
  async compose({ db, settings }, day, siteUrl) {
    const { time_zone, currency } = settings.get().shop
    const sold = await queryAll(
      db,
      row,
      sql`
      select b.name, count(*) as count, sum(p.amount) as amount
      from purchases p join products b on b.id = p.product_id
      where p.created_at >= ${midnight(day, time_zone)} and p.created_at < ${midnight(day, time_zone, 1)}
        and ${isLiveSale}
      group by b.name order by 3 desc`,
    )
    const count = sold.reduce((sum, each) => sum + each.count, 0)
    if (count <= maxSingleSales) return undefined
    const texts = emailsTexts.author.daily
    const date = dateOf(day)
    const total = formatMoney(fromCents(addCents(sold.map(({ amount }) => amount))), currency)
    return {
      subject: fill(texts.subject, { count, date }),
      title: fill(texts.title, { date }),
      preview: total,
      children: [
        facts([
          [emailsTexts.author.sold, `${count}`],
          [emailsTexts.author.revenue, total],
          ...sold.map(
            ({ name, count: each, amount }) =>
              [name, `${each} · ${formatMoney(fromCents(amount), currency)}`] as const,
          ),
        ]),
        button(emailsTexts.author.allSales, `${siteUrl}/admin/sales`),
      ],
    }
  },
}
