// The time that emails stay, and the deletion of old ones: of sent ones the rows, of unsent ones the files in the outbox, too.
import { dayMs } from '#contract/durations.ts'
import { outboxFolder } from '#platform/mail.ts'
import { and, isNotNull, isNull, lt } from 'drizzle-orm'
import { mails } from '#tables/mail.ts'
import type { MailShop } from './shop.ts'
import { deleteBatches } from '#platform/db/query.ts'
import { removeOldFiles } from '#platform/data-folders.ts'
import type { Services } from '#platform/services.ts'

export const retentionDays = 90

export const oldestMail = (clock: Services['clock']) => new Date(clock().getTime() - retentionDays * dayMs)

/** Rows of a purchase stay, without the text, as evidence for its buyer's bank; one that was given up, until the author has dismissed it. */
export async function sweepMails({ db, clock }: MailShop): Promise<void> {
  const isOld = and(
    isNull(mails.purchase_id),
    lt(mails.created_at, oldestMail(clock)),
    isNull(mails.given_up_at),
  )
  await deleteBatches(db, mails.id, isOld)
  const hasOldBody = and(isNotNull(mails.body), lt(mails.created_at, oldestMail(clock)))
  await db.update(mails).set({ body: null }).where(hasOldBody)
}

export async function sweepOutbox({ config, clock }: MailShop): Promise<void> {
  await removeOldFiles(outboxFolder(config), oldestMail(clock))
}
