// Emails tell a buyer about the day on which a product comes out.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#platform/db/client.ts'
import { queryFirst } from '#platform/db/query.ts'
import { isEntitled, givesProduct } from '#domains/orders/entitlements.ts'
import { isFreeOrder } from '#domains/orders/refund-right.ts'
import { hasNoPassword, isGuestAccount } from '#domains/accounts/accounts.ts'

export type ReleaseNews = 'out' | 'moved'

const composed = z.object({
  to: z.string(),
  /** The order that gives it; of several, the newest. */
  purchase_id: z.string(),
  name: z.string().nullable(),
  product_name: z.string(),
  is_guest: z.boolean(),
  has_no_password: z.boolean(),
  is_digital: z.boolean(),
  ships: z.boolean(),
  release_on: z.string(),
  /** The payment provider took the money. */
  is_paid: z.boolean(),
  /** A button takes the order back: it was paid, or cost nothing. */
  can_take_back: z.boolean(),
})
export type ReleaseEmail = z.output<typeof composed>

type Reader = { product_id: string; user_id: string; news: ReleaseNews; release_on: string }

/** Undefined for who has no right to it any more, and where the day was moved again. */
export function findReleaseMail(db: Db, { product_id, user_id, news, release_on }: Reader) {
  const isNews = news === 'out' ? sql`is_released(product)` : sql`not is_released(product)`
  return queryFirst(
    db,
    composed,
    sql`
      select owner.email as to, entitled.id as purchase_id, reader_name(owner.user_id) as name, ${isGuestAccount(sql`owner.user_id`)} as is_guest,
        ${hasNoPassword(sql`owner.user_id`)} as has_no_password,
        product.name as product_name, product.is_digital,
        needs_shipping(product) as ships, product.release_on::text,
        exists (select from purchases p join checkouts c on c.purchase_id = p.id
          where p.user_id = owner.user_id and ${givesProduct(sql`product.id`)} and c.payment_intent is not null) as is_paid,
        exists (select from purchases p left join checkouts c on c.purchase_id = p.id
          where p.user_id = owner.user_id and ${givesProduct(sql`product.id`)}
            and (c.payment_intent is not null or ${isFreeOrder(sql`p`)})) as can_take_back
      from products product join profiles owner on owner.user_id = ${user_id}
        cross join lateral (select p.id from purchases p
          where p.user_id = owner.user_id and ${givesProduct(sql`product.id`)} and ${isEntitled(sql`p`)}
          order by p.created_at desc, p.id desc limit 1) entitled
      where product.id = ${product_id} and product.release_on = ${release_on} and ${isNews} and owner.email <> ''`,
  )
}
