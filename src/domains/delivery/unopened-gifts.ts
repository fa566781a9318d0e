// Gifts that nobody has opened yet, as the emails about them name them.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#platform/db/client.ts'
import { isoTime, queryFirst } from '#platform/db/query.ts'
import { isPaidFor } from '#domains/orders/entitlements.ts'
import type { ScheduledEmail } from '#domains/mail/shop.ts'
import { isOfAddress, openedAt, purchaseOfGift } from './gift-links.ts'

const unopened = z.object({
  purchase_id: z.string().nullable(),
  received_id: z.string().nullable(),
  revision: z.string(),
  email: z.string(),
  recipient_name: z.string(),
  sender_name: z.string(),
  note: z.string(),
  sent_at: isoTime.nullable(),
  product_name: z.string(),
  buyer_email: z.string(),
  buyer_name: z.string().nullable(),
})
export type UnopenedGift = z.output<typeof unopened>

export function findUnopened(db: Db, { version }: ScheduledEmail): Promise<UnopenedGift | undefined> {
  return queryFirst(
    db,
    unopened,
    sql`
      select g.purchase_id, g.received_id, g.revision, g.email, g.recipient_name, g.sender_name, g.note,
        p.name as product_name, owner.email as buyer_email, owner.display_name as buyer_name, (
          select s.settled_at from scheduled_emails s where s.kind = 'gift_to_someone' and s.about = g.purchase_id
            and s.version = g.revision::text) as sent_at
      from purchase_gifts g join ${purchaseOfGift} join products p on p.id = b.product_id
        join profiles owner on owner.user_id = b.user_id
      where g.revision = ${version}::uuid and ${openedAt} is null and g.email <> ''
        and (g.purchase_id is null or g.sender_name <> '') and ${isPaidFor(sql`b`)} and ${isOfAddress}`,
  )
}
