// The scheduled emails of gifts: to the recipient, and the reminders of what is not opened.
import type { Transaction } from '#platform/db/client.ts'
import { scheduleEmail } from '#domains/mail/scheduled-emails.ts'
import type { ScheduledEmailKind } from '#domains/mail/shop.ts'
import { daysAfter, reminderDays } from './gifts.ts'
import { addGiftLink } from './gift-links.ts'
import { findUnopened } from './unopened-gifts.ts'

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
