// The audit log of admins: its entries, its actions, and how each is described.
import { z } from 'zod'
import { id, searchTerm, timestamp, cursor, pageOf } from '../fields.ts'

export const auditEntry = z.object({
  id,
  actor: z.string(),
  action: z.string(),
  subject: z.string(),
  subject_id: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
  ip: z.string().nullable(),
  created_at: timestamp,
})
export type AuditEntry = z.infer<typeof auditEntry>

export const auditRequest = z.object({ q: searchTerm.optional(), after: cursor.optional() })
export type AuditRequest = z.infer<typeof auditRequest>

export const auditLog = pageOf(auditEntry)

export const auditActions = {
  'backups.backup': 'started a',
  'backups.rehearsal': 'started a',
  'backups.tried': 'tried the place of backups',
  'backups.downloaded': 'downloaded a copy of the shop,',
  'book.published': 'published the book, ',
  'users.created': 'created the account of',
  'users.invited': 'invited as admin',
  'users.role_granted': 'gave a role to',
  'users.role_revoked': 'took a role from',
  'users.disabled': 'disabled the account of',
  'users.enabled': 'enabled the account of',
  'users.signed_out': 'signed out everywhere',
  'users.factors_reset': 'reset the second factor of',
  'users.password_link_made': 'made a link to a new password for',
  'users.address_confirmed': 'confirmed, in place of the old mailbox, the new address of',
  'users.verification_sent': 'sent the verification again to',
  'users.data_offered': 'emailed a link to their data to',
  'users.erasure_offered': 'sent a link to erase the account to',
  'users.erased': 'erased an account, now called',
  'users.exported': 'exported',
  'purchases.exported': 'exported',
  'excerpt.saved': 'uploaded',
  'excerpt.removed': 'removed',
  'subscribers.exported': 'exported',
  'subscribers.ended': 'ended the letters to',
  'subscribers.deleted': 'deleted from the list of letters',
  'subscribers.all_ended': 'ended all letters:',
  'sales.exported': 'exported',
  'purchases.receipt_sent': 'sent the receipt to',
  'purchases.buyer_shown': 'viewed the name of the erased buyer of',
  'purchases.link_made': 'created a link for the buyer of',
  'purchases.links_ended': 'revoked the links of',
  'purchases.moved': 'moved to another address',
  'purchases.refunded': 'refunded',
  'purchases.refund_recorded': 'recorded a refund outside Stripe for',
  'purchases.taken_back': 'took back the free order',
  'purchases.refund_asked': 'asked for a refund of',
  'withdrawals.accepted': 'accepted the withdrawal from',
  'withdrawals.dismissed': 'dismissed a withdrawal without proof by',
  'withdrawals.refused': 'refused a refund of',
  'shipments.shipped': 'shipped a book to',
  'shipments.unshipped': 'undid the shipping of a book to',
  'shipments.tracking_changed': 'changed the tracking of a parcel to',
  'shipments.address_changed': 'corrected the address of',
  'payments.rebuilt': 'reported, after a restore, a payment for',
  'payments.refunded': 'refunded, outside this shop,',
  'payments.refund_failed': 'could not refund',
  'payments.disputed': 'reported a dispute of',
  'payments.dispute_won': 'returned the disputed money of',
  'payments.checked': 'checked again the payment of',
  'payments.accepted': 'accepted as paid',
  'payments.given_back': 'refunded the held payment of',
  'payments.dismissed': 'dismissed the held payment of',
  'payments.event_tried_again': 'tried again the event',
  'mails.tested': 'sent a test email to',
  'mails.sent_again': 'sent an email again to',
  'mails.sent_later': 'sent after mail was set up',
  'mails.dismissed': 'dismissed an email to',
  'events.dismissed': 'dismissed the event',
  'outages.dismissed': 'dismissed the time without payments that began on',
  'refunds.dismissed': 'dismissed the refused refund of',
  'refunds.failure_dismissed': 'dismissed the failed refund of',
  'products.added': 'added the product',
  'products.changed': 'changed the product',
  'products.edition_added': 'uploaded a new edition of',
  'products.edition_restored': 'went back to an earlier edition of',
  'editions.announced': 'emailed the owners about a new edition of',
  'editions.paused': 'paused the emails about a new edition of',
  'editions.resumed': 'resumed the emails about a new edition of',
  'products.copied': 'made a copy of a product:',
  'products.archived': 'archived the product',
  'products.unarchived': 'took out of the archive the product',
  'products.deleted': 'deleted the product',
  'products.ordered': 'changed',
  'products.parts_set': 'changed what is in',
  'products.old_checkouts_ended': 'ended open checkouts at the old price of',
  'products.stock_set': 'counted the copies of',
  'products.cover_set': 'set the cover of',
  'products.cover_removed': 'removed the cover of',
  'settings.changed': 'changed the settings of',
  'webhook.gone': 'switched the webhook off, as 410 was the answer of',
  'webhook.tested': 'sent a test of the webhook to',
  'pictures.added': 'uploaded a picture of',
  'discounts.added': 'created the discount code',
  'discounts.resumed': 'resumed the discount code',
  'discounts.ended': 'ended the discount code',
  'gifts.copy_given': 'gave a free copy to',
  'gifts.taken_back': 'took back the free copy of',
  'gifts.mailed_again': 'sent the email about a gift again to',
  'messages.answered': 'answered the message of',
  'messages.deleted': 'deleted the message of',
  'messages.restored': 'restored the message of',
} as const

export type AuditAction = keyof typeof auditActions

const words: Record<string, string> = auditActions

/** Another version may have logged an action that this one does not know. */
export function describeAction(action: string): string {
  return words[action] ?? action
}
