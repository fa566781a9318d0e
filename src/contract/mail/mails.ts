// The kinds of emails, and the log of those that were sent.
import { z } from 'zod'
import { timestamp, id, searchTerm, cursor, pageOf } from '../fields.ts'

/**
 * `waiting`: an attempt failed, or the author has sent what was unsent, and its job is still to run. `failed`: for good.
 * `unsent`: written to the outbox, because no mail server was set.
 */
export const mailStatuses = ['sent', 'waiting', 'failed', 'unsent'] as const
export type MailStatus = (typeof mailStatuses)[number]

const mail = z.object({
  id,
  kind: z.string(),
  recipient: z.string(),
  subject: z.string(),
  status: z.enum(mailStatuses),
  attempts: z.number().int(),
  /** What the mail server said. */
  error: z.string().nullable(),
  created_at: timestamp,
  sent_at: timestamp.nullable(),
  purchase: z.object({ id, number: z.number().int() }).nullable(),
})
export type Mail = z.infer<typeof mail>

/** `q`: an email address, or an order number as #1042. */
export const mailListRequest = z.object({
  q: searchTerm.optional(),
  status: z.enum(mailStatuses).optional(),
  after: cursor.optional(),
})
export type MailListRequest = z.infer<typeof mailListRequest>

export const mailList = pageOf(mail).extend({
  /** No mail server is set: what is written goes to the outbox. */
  is_kept: z.boolean(),
  /** The unsent ones that can be sent now; null where there are none, or no mail server is set. */
  sendable: z.object({ count: z.number().int(), oldest_at: timestamp }).nullable(),
  /** The outbox of this machine. */
  folder: z.string(),
})
export type MailList = z.output<typeof mailList>

export const sentMails = z.object({ count: z.number().int() })

/** An unsent mail as this machine's outbox has it. */
const outboxFile = z.object({
  path: z.string(),
  from: z.string(),
  reply_to: z.string().nullable(),
  is_own: z.boolean(),
  /** Links, or what they carry, were taken out of the text and of the page at `page_url`. */
  hides_links: z.boolean(),
  /** The mail's HTML, for a sandboxed frame; the address is valid for minutes. */
  page_url: z.string(),
})

export const mailDetail = mail.extend({
  /** Plain text without secret links; null where it was not saved, or is older than 90 days. */
  text: z.string().nullable(),
  /** Null where the mail was sent, or another machine has it. */
  file: outboxFile.nullable(),
  /** A new one can be sent. */
  is_repeatable: z.boolean(),
  /** It failed for good, and the author has not decided yet. */
  needs_attention: z.boolean(),
})
export type MailDetail = z.infer<typeof mailDetail>

// The kinds of emails, and how one that did not leave is sent again: by its job, which composes it anew.

/**
 * `each`: the job is kept for 90 days; sent once a mail server is set, or when the author retries it. `newest`: as `each`,
 * of several for one purchase only the newest. `retry`: kept as long, and sent only when the author retries it. `expires`:
 * of use at its time only, or with a link that expires.
 */
export const mailKinds = {
  receipt: 'newest',
  gift: 'each',
  shipped: 'each',
  refund: 'each',
  refund_failed: 'each',
  withdrawal: 'retry',
  withdrawal_declared: 'retry',
  withdrawal_refused: 'retry',
  payment_outage: 'expires',
  backup_failed: 'expires',
  backups_changed: 'expires',
  contact: 'expires',
  reply: 'each',
  edition: 'retry',
  moved_away: 'each',
  release_out: 'retry',
  release_moved: 'retry',
  waitlist_confirm: 'expires',
  gift_to_someone: 'each',
  gift_waiting: 'expires',
  gift_unopened: 'expires',
  author: 'expires',
  sign_up: 'expires',
  verify_again: 'expires',
  sign_in: 'expires',
  reauthenticate: 'expires',
  recovery: 'expires',
  invitation: 'expires',
  email_change: 'expires',
  email_change_again: 'expires',
  email_changed: 'expires',
  password_changed: 'expires',
  factor_added: 'expires',
  factor_removed: 'expires',
  passkey_added: 'expires',
  passkey_removed: 'expires',
  factors_reset: 'expires',
  recovery_codes_made: 'expires',
  recovery_code_used: 'expires',
  sessions_ended: 'expires',
  data_taken: 'expires',
  data_offered: 'expires',
  erasure_offered: 'expires',
  erasure_asked: 'expires',
  erasure_canceled: 'expires',
  account_restored: 'expires',
  admin_added: 'expires',
  admin_removed: 'expires',
  admin_disabled: 'expires',
  admin_enabled: 'expires',
} as const satisfies Record<string, 'each' | 'newest' | 'retry' | 'expires'>

export type MailKind = keyof typeof mailKinds

/** Emails that go to many, on a day, or as a reminder. In the order in which those that are due are sent. */
export const scheduledKinds = [
  'gift_to_someone',
  'release_out',
  'release_moved',
  'release_waitlist',
  'gift_waiting',
  'gift_unopened',
  'edition',
] as const
export type ScheduledKind = (typeof scheduledKinds)[number]

/** `skipped`: there was nothing to say to the reader any more. */
export const scheduledOutcomes = ['sent', 'skipped', 'failed'] as const
export type ScheduledOutcome = (typeof scheduledOutcomes)[number]
