import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/fill.ts'
import { queryFirst } from '#platform/db/query.ts'
import { button, facts, quotation } from '#domains/mail/email-blocks.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import type { AuthorEmail } from '#domains/mail/author-emails.ts'
import { buyerOf, isLiveSale } from './live-sales.ts'

const row = z.object({
  number: z.number(),
  product_name: z.string(),
  reason: z.string(),
  buyer: z.object({ email: z.string() }),
})

/** The id is that of the purchase. Only of a request that waits for the author. */
export const refundAsked: AuthorEmail = {
  setting: 'refund_asked',
  async compose({ db }, id, siteUrl) {
    const found = await queryFirst(
      db,
      row,
      sql`
      select p.number, b.name as product_name, w.reason, ${buyerOf(sql`p`)} as buyer
      from withdrawals w join purchases p on p.id = w.purchase_id join products b on b.id = p.product_id
      where w.purchase_id = ${id} and w.decided_at is null and ${isLiveSale}`,
    )
    if (!found) return undefined
    const texts = emailsTexts.author.refundAsked
    return {
      subject: fill(texts.subject, { order: formatOrderNumber(found.number) }),
      title: texts.title,
      preview: found.product_name,
      children: [
        facts([
          [emailsTexts.shared.order, formatOrderNumber(found.number)],
          [emailsTexts.shared.book, found.product_name],
          [emailsTexts.author.sale.buyer, found.buyer.email],
        ]),
        found.reason !== '' && quotation(found.reason),
        button(texts.button, `${siteUrl}/admin/payments`),
      ],
    }
  },
}
