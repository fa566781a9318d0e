// The scheduled emails of gifts: to the recipient, and the reminders of what is not opened.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db, Transaction } from '#platform/db/client.ts'
import { isoTime, queryFirst } from '#platform/db/query.ts'
import { isPaidFor } from '#domains/orders/entitlements.ts'
import { scheduleEmail } from '#domains/mail/scheduled-emails.ts'
import type { ScheduledEmail, ScheduledEmailKind } from '#domains/mail/shop.ts'
import { daysAfter, reminderDays } from './gifts.ts'
import { addGiftLink, isOfAddress, openedAt, purchaseOfGift } from './gift-links.ts'

/** Sends nothing once the gift was opened, changed or taken back, or its money went back. */
const toRecipient = (kind: 'gift_to_someone' | 'gift_waiting'): ScheduledEmailKind => ({
  isBulk: kind === 'gift_waiting',
  async compose(db, scheduled, branding) {
    const gift = await findUnopened(db, scheduled)
    if (!gift) return undefined
    const { recipientEmail } = await import('./gifts.emails.ts')
    const link = await addGiftLink(db, gift, branding.siteUrl)
    const isReminder = kind === 'gift_waiting'
    const email = await recipientEmail({ ...gift, link, isReminder }, branding)
    const purchase_id = gift.purchase_id ?? gift.received_id ?? undefined
    return { kind, email, purchase_id, isUnimportant: isReminder }
  },
})

export const gift_waiting = toRecipient('gift_waiting')

/** What is not opened after a month is a reminder's, for both. */
export const gift_to_someone: ScheduledEmailKind = {
  ...toRecipient('gift_to_someone'),
  async settle(tx, scheduled, outcome, now) {
    if (outcome !== 'sent') return
    const due_at = daysAfter(now, reminderDays)
    for (const kind of ['gift_waiting', 'gift_unopened'] as const)
      await scheduleEmail(tx, kind, scheduled, due_at)
  },
}

export const gift_unopened: ScheduledEmailKind = {
  isBulk: true,
  async compose(db, scheduled, branding) {
    const gift = await findUnopened(db, scheduled)
    if (!gift) return undefined
    const { unopenedEmail } = await import('./gifts.emails.ts')
    const email = await unopenedEmail(gift, branding)
    return { kind: 'gift_unopened', email, purchase_id: scheduled.about, isUnimportant: true }
  },
}

/** Of the author's own copies there is no one else to remind. */
export const remindRecipient = (
  tx: Transaction,
  { id, revision }: { id: string; revision: string },
  now: Date,
) => scheduleEmail(tx, 'gift_waiting', { about: id, version: revision }, daysAfter(now, reminderDays))

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

function findUnopened(db: Db, { version }: ScheduledEmail): Promise<UnopenedGift | undefined> {
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
