import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/fill.ts'
import { addCents, formatMoney, fromCents } from '#contract/money.ts'
import { cents, queryAll } from '#platform/db/query.ts'
import { button, facts, quiet } from '#domains/mail/email-blocks.ts'
import type { AuthorEmail } from '#domains/mail/author-emails.ts'

const row = z.object({ name: z.string(), is_before: z.boolean(), count: z.number(), revenue: cents })

/** The id is the Monday after the week, as 2026-11-09. Not of two weeks in which nothing was sold. */
export const weeklySummary: AuthorEmail = {
  setting: 'weekly_summary',
  async compose({ db, settings, payments }, monday, siteUrl) {
    if (payments.mode() !== 'live') return undefined
    const { currency } = settings.get().shop
    const rows = await queryAll(
      db,
      row,
      sql`
      select b.name, s.day < ${monday}::date - 7 as is_before, sum(s.completed) as count, sum(s.revenue) as revenue
      from sales_day s join products b on b.id = s.product_id
      where s.day between ${monday}::date - 14 and ${monday}::date - 1
      group by 1, 2 order by 4 desc`,
    )
    if (rows.every(({ count, revenue }) => count === 0 && revenue === 0n)) return undefined
    const sumOf = (sold: typeof rows) => ({
      count: sold.reduce((sum, each) => sum + each.count, 0),
      revenue: formatMoney(fromCents(addCents(sold.map(({ revenue }) => revenue))), currency),
    })
    const week = rows.filter(({ is_before }) => !is_before)
    const [now, before] = [sumOf(week), sumOf(rows.filter(({ is_before }) => is_before))]
    const texts = emailsTexts.author.weekly
    return {
      subject: fill(texts.subject, { count: now.count, amount: now.revenue }),
      title: texts.title,
      preview: now.revenue,
      children: [
        facts([
          [emailsTexts.author.sold, `${now.count}`],
          [emailsTexts.author.revenue, now.revenue],
          ...week.map(
            ({ name, count, revenue }) =>
              [name, `${count} · ${formatMoney(fromCents(revenue), currency)}`] as const,
          ),
        ]),
        quiet(fill(texts.before, { count: before.count, amount: before.revenue })),
        button(emailsTexts.author.allSales, `${siteUrl}/admin/sales`),
      ],
    }
  },
}
