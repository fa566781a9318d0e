// The tables of emails that were sent, of scheduled ones, of subscribers to the author's letters, of requests for the excerpt,
// and of what the webhook sends.
import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, text, unique, uuid } from 'drizzle-orm/pg-core'
import { bytes, created_at, moment, oneOf } from './columns.ts'
import { users } from './accounts.ts'
import { purchases } from './orders.ts'
import { scheduledKinds, scheduledOutcomes, type MailKind } from '#contract/mail/mail-kinds.ts'
import { subscriberSources } from '#contract/mail/subscribers.ts'
import { deliveryStatuses, webhookEvents } from '#contract/mail/webhook.ts'

export const mails = pgTable(
  'mails',
  {
    id: uuid().primaryKey(),
    kind: text().$type<MailKind>().notNull(),
    recipient: text().notNull(),
    subject: text().notNull(),
    purchase_id: uuid().references(() => purchases.id),
    /** Names the contact message that is passed on. */
    message_id: uuid(),
    /** `unsent`: written to the outbox, because no mail server is set. */
    status: text({ enum: ['sent', 'unsent', 'failed'] }).notNull(),
    attempts: integer().notNull().default(1),
    error: text(),
    created_at: created_at(),
    sent_at: moment(),
    /** The author sent an unsent mail then; null again once it was tried. */
    queued_at: moment(),
    /** The text is plain, without links; null for what is of use at its time only, and after 90 days. */
    body: text(),
    /** The author last had it sent again then. */
    repeated_at: moment(),
    /** The last retry failed then; null again once the author has resolved it. */
    given_up_at: moment(),
  },
  (t) => [
    index('mails_of_purchase').on(t.purchase_id),
    index('mails_of_message')
      .on(t.message_id)
      .where(sql`${t.message_id} is not null`),
    index('mails_newest').on(t.created_at.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index('mails_of_recipient').on(sql`lower(${t.recipient})`, t.created_at.desc().nullsFirst()),
    index('mails_searchable').using(
      'gin',
      sql`searchable(${t.recipient} || ' ' || ${t.subject}) gin_trgm_ops`,
    ),
    index('mails_with_body')
      .on(t.created_at)
      .where(sql`${t.body} is not null`),
    index('mails_unsent')
      .on(t.created_at)
      .where(sql`${t.status} = 'unsent'`),
    index('mails_failed')
      .on(t.created_at)
      .where(sql`${t.status} = 'failed'`),
    index('mails_given_up')
      .on(t.given_up_at.desc().nullsFirst(), t.id)
      .where(sql`${t.given_up_at} is not null`),
  ],
)

/** One for each recipient of an email that goes to many, or on a day. */
export const scheduled_emails = pgTable(
  'scheduled_emails',
  {
    id: uuid().primaryKey().defaultRandom(),
    kind: text({ enum: scheduledKinds }).notNull(),
    /** The file of an edition, a product, an entry of a waitlist, or the purchase that was given away. */
    about: uuid().notNull(),
    /** Null where `about` says to whom. */
    user_id: uuid().references(() => users.id, { onDelete: 'cascade' }),
    /** A release has its day here, a gift its revision: where that is another one now, nothing is sent. */
    version: text().notNull().default(''),
    /** Null while the author has stopped it. */
    due_at: moment(),
    /** Its job was enqueued then; null again where the mail server was taken away meanwhile. */
    queued_at: moment(),
    /** The job and the row in `mails` have this id. */
    mail_id: uuid(),
    outcome: text({ enum: scheduledOutcomes }),
    /** It had its outcome then. */
    settled_at: moment(),
  },
  (t) => [
    check('scheduled_emails_kind', oneOf('kind', scheduledKinds)),
    check('scheduled_emails_outcome', oneOf('outcome', scheduledOutcomes)),
    unique('scheduled_emails_once').on(t.kind, t.about, t.user_id, t.version).nullsNotDistinct(),
    index('scheduled_emails_due')
      .on(t.kind, t.due_at, t.id)
      .where(sql`${t.queued_at} is null`),
    index('scheduled_emails_under_way')
      .on(t.queued_at)
      .where(sql`${t.queued_at} is not null and ${t.outcome} is null`),
    index('scheduled_emails_queued').on(t.queued_at),
    index('scheduled_emails_of_user')
      .on(t.user_id)
      .where(sql`${t.user_id} is not null`),
  ],
)

/**
 * An address that was asked to confirm that it wants the author's letters, has confirmed, or has left. What was agreed to
 * changes by a confirmation only; what was requested since has columns of its own.
 */
export const subscribers = pgTable(
  'subscribers',
  {
    id: uuid().primaryKey(),
    email: text().notNull().unique(),
    /** In the link that shows and ends it; readable, as the list of the author has it. */
    token: text().notNull().unique(),
    /** The words that were agreed to; null while nothing was. */
    words: text(),
    /** The language tag of the words. */
    language: text(),
    source: text({ enum: subscriberSources }),
    /** The purchase with which the address agreed. */
    purchase_id: uuid().references(() => purchases.id, { onDelete: 'set null' }),
    agreed_at: moment(),
    confirmed_at: moment(),
    ended_at: moment(),
    requested_words: text(),
    requested_language: text(),
    requested_source: text({ enum: subscriberSources }),
    requested_purchase_id: uuid().references(() => purchases.id, { onDelete: 'set null' }),
    requested_at: moment(),
    /** Until then the request can be confirmed. */
    request_ends_at: moment(),
    /** When the last mail was requested that asks for the confirmation, or says how to leave, and how many were; receipts do not count. */
    mailed_at: moment(),
    mails: integer().notNull().default(0),
    created_at: created_at(),
  },
  (t) => [
    check('subscribers_source', oneOf('source', subscriberSources)),
    check('subscribers_requested_source', oneOf('requested_source', subscriberSources)),
    check(
      'subscribers_agreed',
      sql`num_nulls(${t.words}, ${t.language}, ${t.source}, ${t.agreed_at}, ${t.confirmed_at}) in (0, 5)`,
    ),
    check(
      'subscribers_requested',
      sql`num_nulls(${t.requested_words}, ${t.requested_language}, ${t.requested_source}, ${t.requested_at}, ${t.request_ends_at}) in (0, 5)`,
    ),
    check('subscribers_ended', sql`${t.ended_at} is null or ${t.confirmed_at} is not null`),
    check('subscribers_any', sql`${t.confirmed_at} is not null or ${t.requested_at} is not null`),
    index('subscribers_newest')
      .on(t.confirmed_at.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.confirmed_at} is not null`),
    index('subscribers_requested_with')
      .on(t.requested_purchase_id)
      .where(sql`${t.requested_purchase_id} is not null`),
    index('subscribers_came_with')
      .on(t.purchase_id)
      .where(sql`${t.purchase_id} is not null`),
  ],
)

/** One for each mail that asks for a confirmation, so that any of them confirms. */
export const subscriber_links = pgTable(
  'subscriber_links',
  {
    hash: bytes().primaryKey(),
    subscriber_id: uuid()
      .notNull()
      .references(() => subscribers.id, { onDelete: 'cascade' }),
    created_at: created_at(),
  },
  (t) => [index('subscriber_links_of_subscriber').on(t.subscriber_id)],
)

/** An address that asked for the excerpt: a row for each email that was requested, each with a link of its own. */
export const excerpt_requests = pgTable(
  'excerpt_requests',
  {
    id: uuid().primaryKey(),
    email: text().notNull(),
    /** The hash of the link's token; null until the email is composed. */
    hash: bytes().unique(),
    /** The words beside the box for letters, where it was ticked, and their language tag. */
    words: text(),
    language: text(),
    /** Counts the links to the file that it gave. */
    downloads: integer().notNull().default(0),
    requested_at: moment().notNull(),
  },
  (t) => [
    check('excerpt_requests_ticked', sql`num_nulls(${t.words}, ${t.language}) in (0, 2)`),
    index('excerpt_requests_of_address').on(t.email),
  ],
)

/** One for each event that the webhook sends. Its body is made at each attempt, from the rows that it is about. */
export const webhook_deliveries = pgTable(
  'webhook_deliveries',
  {
    /** The header `webhook-id` has it. */
    id: uuid().primaryKey().defaultRandom(),
    /** Those of one subject are sent in this order. Each is inserted while the row of its subject is locked. */
    number: bigint({ mode: 'number' }).notNull().unique().generatedAlwaysAsIdentity(),
    event: text({ enum: webhookEvents }).notNull(),
    /** A subscriber or a purchase; no reference, as `subscriber.ended` is sent after the row is deleted. */
    subject_id: uuid().notNull(),
    /** The refund, an adjustment. It is sent once. */
    adjustment_id: uuid().unique(),
    /** Of `subscriber.ended` alone; null once it is settled. */
    email: text(),
    status: text({ enum: deliveryStatuses }).notNull().default('waiting'),
    attempts: integer().notNull().default(0),
    attempted_at: moment(),
    error: text(),
    /** Null before it is enqueued, and where the webhook was off when its job ran. */
    job_id: uuid(),
    settled_at: moment(),
    created_at: created_at(),
  },
  (t) => [
    check('webhook_deliveries_event', oneOf('event', webhookEvents)),
    check('webhook_deliveries_status', oneOf('status', deliveryStatuses)),
    check('webhook_deliveries_settled', sql`(${t.settled_at} is null) = (${t.status} = 'waiting')`),
    check(
      'webhook_deliveries_email',
      sql`${t.email} is null or ${t.event} = 'subscriber.ended' and ${t.settled_at} is null`,
    ),
    index('webhook_deliveries_waiting')
      .on(t.number)
      .where(sql`${t.settled_at} is null`),
    index('webhook_deliveries_of_subject')
      .on(t.subject_id, t.number)
      .where(sql`${t.settled_at} is null`),
    index('webhook_deliveries_of_address')
      .on(t.email, t.number)
      .where(sql`${t.email} is not null`),
    index('webhook_deliveries_old').on(t.created_at),
  ],
)
