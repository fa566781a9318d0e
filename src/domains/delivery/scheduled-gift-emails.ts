// The scheduled email of a gift to its recipient.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#platform/db/client.ts'
import { queryFirst } from '#platform/db/query.ts'
import type { ScheduledEmail, ScheduledEmailKind } from '#domains/mail/shop.ts'
import { isPaidFor } from '#domains/orders/entitlements.ts'
import { addGiftLink, opensGiftAccount } from './gift-links.ts'

/** Sends nothing once the gift was opened or taken back, its email was sent again, or its money went back. */
export const gift_to_someone: ScheduledEmailKind = {
  isBulk: false,
  async compose(db, scheduled, branding) {
    const gift = await findUnopened(db, scheduled)
    if (!gift) return undefined
    const { recipientEmail } = await import('./gifts.emails.ts')
    const link = await addGiftLink(db, gift, branding.siteUrl)
    const signsIn = await db.transaction((tx) => opensGiftAccount(tx, gift.email))
    const email = await recipientEmail({ ...gift, page: { link, signsIn } }, branding)
    return { kind: 'gift_to_someone', email, purchase_id: gift.purchase_id }
  },
}

const unopenedGift = z.object({
  purchase_id: z.string(),
  revision: z.string(),
  email: z.string(),
  recipient_name: z.string(),
  sender_name: z.string(),
  note: z.string(),
  product_name: z.string(),
})

/** Finds nothing where its giver or its recipient was erased. */
function findUnopened(db: Db, { version }: ScheduledEmail) {
  return queryFirst(
    db,
    unopenedGift,
    sql`
      select g.purchase_id, g.revision, g.email, g.recipient_name, g.sender_name, g.note, p.name as product_name
      from purchase_gifts g join purchases b on b.id = g.purchase_id join products p on p.id = b.product_id
      where g.revision = ${version}::uuid and g.opened_at is null and g.email <> '' and g.sender_name <> ''
        and ${isPaidFor(sql`b`)}`,
  )
}
