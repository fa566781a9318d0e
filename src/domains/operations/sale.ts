import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { emailsTexts } from '#words/emails.ts'
import { fill } from '#words/fill.ts'
import { formatMoney, fromCents } from '#contract/money.ts'
import { dayIn, midnight } from '#platform/db/days.ts'
import { cents, queryFirst } from '#platform/db/query.ts'
import { button, facts, paragraph } from '#domains/mail/email-blocks.ts'
import { plainLine } from '#domains/mail/plain-text.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { addressLines } from '#contract/orders/postal.ts'
import type { AuthorEmail } from '#domains/mail/author-emails.ts'
import { buyerOf, isLiveSale, maxSingleSales } from './live-sales.ts'

const address = z.object({
  name: z.string().nullable(),
  line1: z.string().nullable(),
  line2: z.string().nullable(),
  city: z.string().nullable(),
  state: z.string().nullable(),
  postal_code: z.string().nullable(),
  country: z.string().nullable(),
})

const row = z.object({
  number: z.number(),
  amount: cents,
  currency: z.string(),
  created_at: z.coerce.date(),
  product_name: z.string(),
  buyer: z.object({ name: z.string(), email: z.string() }),
  parcel: address.nullable(),
})

/** The id is that of the purchase. Of an old one, as when its receipt is sent again, nothing is told. */
export const sale: AuthorEmail = {
  setting: 'sale',
  async compose({ db, settings }, id, siteUrl) {
    const found = await queryFirst(
      db,
      row,
      sql`
      select p.number, p.amount, p.currency, p.created_at, b.name as product_name, ${buyerOf(sql`p`)} as buyer,
        (select to_jsonb(s) from shipments s where s.purchase_id = p.id) as parcel
      from purchases p join products b on b.id = p.product_id
      where p.id = ${id} and ${isLiveSale} and p.created_at > now() - interval '3 days'`,
    )
    if (!found) return undefined
    const { time_zone } = settings.get().shop
    const begin = midnight(dayIn(time_zone, found.created_at), time_zone)
    const { count } = (await queryFirst(
      db,
      z.object({ count: z.number() }),
      sql`select count(*) from (
        select from purchases p where p.created_at >= ${begin} and ${isLiveSale}
          and (p.created_at, p.id) <= (select created_at, id from purchases where id = ${id})
        limit ${maxSingleSales + 1}) sold`,
    )) ?? { count: 0 }
    if (count > maxSingleSales) return undefined
    const texts = emailsTexts.author.sale
    const amount = formatMoney(fromCents(found.amount), found.currency)
    const name = plainLine(found.buyer.name, 60)
    const buyer = name ? `${name}, ${found.buyer.email}` : found.buyer.email
    return {
      subject: fill(texts.subject, { product: found.product_name, amount }),
      title: texts.title,
      preview: buyer,
      children: [
        facts([
          [emailsTexts.shared.book, found.product_name],
          [texts.amount, amount],
          [texts.buyer, buyer],
          [emailsTexts.shared.order, formatOrderNumber(found.number)],
        ]),
        found.parcel !== null && paragraph(parcelText(found.parcel)),
        button(texts.button, `${siteUrl}/admin/purchases/${id}`),
      ],
    }
  },
}

function parcelText(parcel: z.output<typeof address>): string {
  const { name, line1, line2, city, state, postal_code, country } = parcel
  const texts = emailsTexts.author.sale
  if (name === null || line1 === null || city === null || country === null) return texts.noAddress
  const lines = addressLines({
    name,
    line1,
    line2: line2 ?? '',
    city,
    state: state ?? '',
    postal_code: postal_code ?? '',
    country,
    phone: '',
  })
  return fill(texts.parcel, { address: plainLine(lines.join(', '), 400) })
}
