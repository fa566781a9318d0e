import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Db } from '#platform/db/client.ts'
import { isoTime, queryFirst } from '#platform/db/query.ts'
import { defineJob, PermanentFailure } from '#platform/job.ts'
import type { Services } from '#platform/services.ts'
import { isPaidFor } from '#domains/orders/entitlements.ts'
import type { WithLetterhead } from '#domains/mail/letterhead.ts'
import { isSent, post } from '#domains/mail/send-mail.ts'
import { retentionDays } from '#domains/mail/sweep-mails.ts'
import { addGiftLink } from './open-gift.ts'
import { purchase_gifts } from '#tables/purchase-gifts.ts'

const payload = z.object({
  /** To the recipient, to the recipient after a month, and to the buyer after a month. */
  kind: z.enum(['gift_to_someone', 'gift_waiting', 'gift_unopened']),
  purchase_id: z.uuid(),
  revision: z.uuid(),
})
type Payload = z.output<typeof payload>

/** Sends nothing once the gift was opened, changed or taken back, or its money went back. */
export const purchaseGiftMailJob = defineJob({
  name: 'mail.purchase_gift',
  payload,
  retentionDays,
  async run(services: Services & WithLetterhead, mail, attempt) {
    const { db, clock } = services
    if (attempt.number > 1 && (await isSent(services, attempt))) return saveOutcome(services, mail, 'sent_at')
    const email = await services.composeMail(async (letterhead) => {
      const gift = await findUnopened(db, mail)
      if (!gift) return undefined
      const emails = await import('./purchase-gift-emails.ts')
      if (mail.kind === 'gift_unopened') return emails.unopenedEmail(gift, letterhead)
      const link = `${letterhead.siteUrl}/gift#${await addGiftLink(db, mail)}`
      return emails.recipientEmail({ ...gift, link, isReminder: mail.kind === 'gift_waiting' }, letterhead)
    })
    if (!email) return undefined
    const { kind, purchase_id } = mail
    try {
      await post(services, attempt, { kind, email, purchase_id, isUnimportant: kind !== 'gift_to_someone' })
    } catch (error) {
      if (attempt.isLast || error instanceof PermanentFailure) await saveOutcome(services, mail, 'failed_at')
      throw error
    }
    return services.mail.isKept() ? undefined : saveOutcome({ db, clock }, mail, 'sent_at')
  },
})

async function saveOutcome(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  { kind, purchase_id, revision }: Payload,
  column: 'sent_at' | 'failed_at',
): Promise<void> {
  if (kind !== 'gift_to_someone') return
  const isIt = and(eq(purchase_gifts.purchase_id, purchase_id), eq(purchase_gifts.revision, revision))
  const other = column === 'sent_at' ? { failed_at: null } : {}
  await db
    .update(purchase_gifts)
    .set({ [column]: clock(), ...other })
    .where(isIt)
}

const unopened = z.object({
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

function findUnopened(db: Db, { purchase_id, revision }: Payload): Promise<UnopenedGift | undefined> {
  return queryFirst(
    db,
    unopened,
    sql`
      select g.email, g.recipient_name, g.sender_name, g.note, g.sent_at, p.name as product_name,
        buyer.email as buyer_email, buyer.display_name as buyer_name
      from purchase_gifts g join purchases b on b.id = g.purchase_id join products p on p.id = b.product_id
        join profiles buyer on buyer.user_id = b.user_id
      where g.purchase_id = ${purchase_id} and g.revision = ${revision} and g.opened_at is null and g.email <> '' and g.sender_name <> ''
        and ${isPaidFor(sql`b`)}`,
  )
}
