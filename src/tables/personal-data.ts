// The columns that hold data of persons, by what an erasure does with them. A test fails for a column of texts that is
// named neither here nor, in the test, among those that hold none.
import type { PgColumn } from 'drizzle-orm/pg-core'
import {
  audit_log as security_events,
  known_devices,
  mfa_factors,
  one_time_tokens,
  profiles,
  sessions,
  users,
  wrong_codes,
} from './accounts.ts'
import { downloads, gift_links, gifts, mail_choices, release_waitlist } from './delivery.ts'
import {
  excerpt_requests,
  mails,
  scheduled_emails,
  subscriber_links,
  subscribers,
  webhook_deliveries,
} from './mail.ts'
import {
  guest_checkouts,
  purchase_access,
  shipments,
  subscription_requests,
  withdrawal_declarations,
} from './orders.ts'
import { adjustments, checkouts, payment_outage_buyers, refund_requests, withdrawals } from './payments.ts'
import { audit_log, setting_secrets, settings } from './platform.ts'
import { book_draft, book_versions } from './book.ts'
import { backup_runs } from './backup.ts'
import { contact_messages, purchase_moves } from './readers.ts'

/** These rows sign their user in, or are left of that. */
export const deletedWithAccount = [
  sessions,
  known_devices,
  one_time_tokens,
  mfa_factors,
  wrong_codes,
] as const

/**
 * Rows that are deleted whole: by the column that says whose they are, an account, a purchase or an address. A request for
 * the excerpt is deleted before the subscriber that it may become meanwhile.
 */
export const deletedWith: readonly PgColumn[] = [
  contact_messages.email,
  excerpt_requests.email,
  mail_choices.user_id,
  purchase_access.purchase_id,
  release_waitlist.email,
  scheduled_emails.user_id,
  subscribers.email,
  subscription_requests.purchase_id,
  webhook_deliveries.email,
  withdrawal_declarations.email,
]

/** These columns are of rows that stay with their purchase. */
export const emptied: readonly PgColumn[] = [
  adjustments.note,
  checkouts.parameters,
  checkouts.invoice_url,
  checkouts.payer_name,
  checkouts.url,
  downloads.ip,
  downloads.user_agent,
  guest_checkouts.email,
  guest_checkouts.network,
  refund_requests.reason,
  shipments.carrier,
  shipments.city,
  shipments.country,
  shipments.first_address_digest,
  shipments.line1,
  shipments.line2,
  shipments.name,
  shipments.phone,
  shipments.postal_code,
  shipments.state,
  shipments.tracking_number,
  withdrawals.reason,
]

/** The address of an admin who did something; what was done stays. */
export const renamed: readonly PgColumn[] = [
  backup_runs.started_by,
  book_draft.saved_by,
  book_versions.published_by,
  setting_secrets.set_by,
  settings.changed_by,
]

/** Steps of their own change or delete these: for each, it depends on whose part of the row it is. */
export const changedByStep: readonly PgColumn[] = [
  audit_log.actor,
  audit_log.detail,
  audit_log.ip,
  audit_log.subject,
  gift_links.hash,
  subscriber_links.hash,
  gifts.email,
  gifts.note,
  gifts.recipient_name,
  gifts.sender_name,
  mails.body,
  mails.error,
  mails.recipient,
  mails.subject,
  payment_outage_buyers.user_id,
  profiles.display_name,
  profiles.email,
  purchase_moves.from_email,
  purchase_moves.objection_hash,
  purchase_moves.reason,
  purchase_moves.to_email,
  security_events.bucket,
  security_events.detail,
  security_events.email,
  security_events.event,
  security_events.ip,
  users.email,
  users.new_email,
  users.new_email_device,
  users.new_email_pressed_by,
  users.password_hash,
  users.user_metadata,
]
