import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/fill.ts'
import { currentLocale } from '#words/texts.ts'
import { formatMoney, fromCents } from '#contract/money.ts'
import { cents, queryFirst } from '#platform/db/query.ts'
import { button, facts, paragraph } from '#domains/mail/email-blocks.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import type { AuthorEmail } from '#domains/mail/author-emails.ts'
import { buyerOf } from './live-sales.ts'

const row = z.object({
  number: z.number(),
  amount: cents,
  currency: z.string(),
  product_name: z.string(),
  answer_by: z.coerce.date(),
  buyer: z.object({ email: z.string() }),
})

/** The id is that of the purchase. One that can no longer be responded to, as after a restore, is not told of. */
export const dispute: AuthorEmail = {
  setting: 'dispute',
  async compose({ db }, id, siteUrl) {
    const found = await queryFirst(
      db,
      row,
      sql`
      select p.number, p.amount, p.currency, b.name as product_name, c.answer_by, ${buyerOf(sql`p`)} as buyer
      from checkouts c join purchases p on p.id = c.purchase_id join products b on b.id = p.product_id
      where c.purchase_id = ${id} and c.is_live and c.answer_by > now()`,
    )
    if (!found) return undefined
    const texts = emailsTexts.author.dispute
    const date = found.answer_by.toLocaleDateString(currentLocale(), { dateStyle: 'long', timeZone: 'UTC' })
    return {
      subject: fill(texts.subject, { date }),
      title: texts.title,
      preview: found.product_name,
      children: [
        paragraph(texts.text),
        facts([
          [emailsTexts.shared.order, formatOrderNumber(found.number)],
          [emailsTexts.shared.book, found.product_name],
          [emailsTexts.author.sale.amount, formatMoney(fromCents(found.amount), found.currency)],
          [emailsTexts.author.sale.buyer, found.buyer.email],
          [texts.until, date],
        ]),
        button(texts.button, `${siteUrl}/admin/purchases/${id}/evidence`),
      ],
    }
  },
}
