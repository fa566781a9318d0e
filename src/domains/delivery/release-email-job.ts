import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#platform/db/client.ts'
import { queryFirst } from '#platform/db/query.ts'
import { isEntitled } from '#domains/orders/entitlements.ts'
import { givesProduct } from '#domains/orders/orders-of-product.ts'
import { isGuestAccount } from '#domains/accounts/accounts.ts'
import { defineBulkMailJob } from '#domains/mail/bulk-mails.ts'
import { release_mails, releaseNews } from '#tables/releases.ts'

export const releaseMail = z.object({
  product_id: z.uuid(),
  user_id: z.uuid(),
  news: z.enum(releaseNews),
  release_on: z.string(),
})
type ReleaseMailRow = z.output<typeof releaseMail>

function defineReleaseMailJob(news: ReleaseMailRow['news']) {
  return defineBulkMailJob({
    name: `mail.release_${news}`,
    kind: `release_${news}`,
    payload: releaseMail,
    async compose({ db }, row, letterhead) {
      const found = await findReleaseMail(db, row)
      if (!found) return undefined
      const emails = await import('./release-emails.ts')
      return emails[news](found, letterhead)
    },
    async save(db, { product_id, user_id, release_on }, state) {
      await db
        .update(release_mails)
        .set(state)
        .where(
          sql`product_id = ${product_id} and user_id = ${user_id} and news = ${news} and release_on = ${release_on}`,
        )
    },
  })
}

export const releaseMailJobs = { out: defineReleaseMailJob('out'), moved: defineReleaseMailJob('moved') }

const composed = z.object({
  to: z.string(),
  name: z.string().nullable(),
  product_name: z.string(),
  is_guest: z.boolean(),
  is_digital: z.boolean(),
  ships: z.boolean(),
  release_on: z.string(),
  /** By the payment provider, so that it can be taken back by a button. */
  is_paid: z.boolean(),
})
export type ReleaseEmail = z.output<typeof composed>

/** Undefined for who has no right to it any more, and where the day was moved again. */
function findReleaseMail(db: Db, { product_id, user_id, news, release_on }: ReleaseMailRow) {
  const isNews = news === 'out' ? sql`is_released(product)` : sql`not is_released(product)`
  return queryFirst(
    db,
    composed,
    sql`
      select owner.email as to, owner.display_name as name, ${isGuestAccount(sql`owner.user_id`)} as is_guest,
        product.name as product_name, product.is_digital,
        needs_shipping(product) as ships, product.release_on::text,
        exists (select from purchases p join checkouts c on c.purchase_id = p.id
          where p.user_id = owner.user_id and ${givesProduct(sql`product.id`)} and c.payment_intent is not null) as is_paid
      from products product join profiles owner on owner.user_id = ${user_id}
      where product.id = ${product_id} and product.release_on = ${release_on} and ${isNews} and owner.email <> ''
        and exists (select from purchases p
          where p.user_id = owner.user_id and ${givesProduct(sql`product.id`)} and ${isEntitled(sql`p`)})`,
  )
}
