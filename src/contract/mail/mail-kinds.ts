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
  webhook_changed: 'expires',
  contact: 'expires',
  reply: 'each',
  edition: 'retry',
  moved_away: 'each',
  release_out: 'retry',
  release_moved: 'retry',
  waitlist_confirm: 'expires',
  letters_confirm: 'expires',
  excerpt_link: 'expires',
  gift_to_someone: 'each',
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

/** Emails that go to many, or on a day. In the order in which those that are due are sent. */
export const scheduledKinds = [
  'gift_to_someone',
  'release_out',
  'release_moved',
  'release_waitlist',
  'edition',
] as const
export type ScheduledKind = (typeof scheduledKinds)[number]

/** `skipped`: there was nothing to say to the reader any more. */
export const scheduledOutcomes = ['sent', 'skipped', 'failed'] as const
export type ScheduledOutcome = (typeof scheduledOutcomes)[number]
