// The tables of editions, days of release, waitlists, gifts and downloads.
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { created_at, moment, oneOf, bytes } from './columns.ts'
import { scheduledOutcomes } from '#contract/mail/mail-kinds.ts'
import { users, profiles } from './accounts.ts'
import { product_files, products } from './catalog.ts'
import { discount_codes, purchases } from './orders.ts'

/** Of an edition that its owners are told of. */
export const edition_announcements = pgTable('edition_announcements', {
  file_id: uuid()
    .primaryKey()
    .references(() => product_files.id),
  paused_at: moment(),
  created_at: created_at(),
})

/** Of the version before; `take_over_emails` moves them to `scheduled_emails`. */
export const edition_mails = pgTable(
  'edition_mails',
  {
    file_id: uuid()
      .notNull()
      .references(() => edition_announcements.file_id),
    user_id: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Of the job, and of its row in `mails`; null until its turn has come. */
    mail_id: uuid(),
    queued_at: moment(),
    /** `skipped`: the book was refunded meanwhile, or the reader has turned these emails off. */
    outcome: text({ enum: scheduledOutcomes }),
  },
  (t) => [
    primaryKey({ columns: [t.file_id, t.user_id] }),
    index('edition_mails_waiting')
      .on(t.file_id, t.user_id)
      .where(sql`${t.queued_at} is null`),
    index('edition_mails_under_way')
      .on(t.queued_at)
      .where(sql`${t.queued_at} is not null and ${t.outcome} is null`),
    index('edition_mails_queued').on(t.queued_at),
    index('edition_mails_of_user').on(t.user_id),
  ],
)

/** What a reader wants to be told of. Without a row: everything. */
export const mail_choices = pgTable('mail_choices', {
  user_id: uuid()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** In the links that turn these emails off without signing in; readable, as later emails carry it again. */
  token: text().notNull().unique(),
  has_editions: boolean().notNull().default(true),
  created_at: created_at(),
})

const releaseEvents = ['out', 'moved'] as const

/** Of the version before; `take_over_emails` moves them to `scheduled_emails`. */
export const release_mails = pgTable(
  'release_mails',
  {
    product_id: uuid()
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    user_id: uuid()
      .notNull()
      .references(() => profiles.user_id),
    news: text({ enum: releaseEvents }).notNull(),
    release_on: date({ mode: 'string' }).notNull(),
    queued_at: moment(),
    mail_id: uuid(),
    outcome: text({ enum: scheduledOutcomes }),
  },
  (t) => [
    primaryKey({ columns: [t.product_id, t.user_id, t.news, t.release_on] }),
    check('release_mails_news', oneOf('news', releaseEvents)),
    index('release_mails_waiting')
      .on(t.product_id, t.user_id)
      .where(sql`${t.queued_at} is null`),
    index('release_mails_queued')
      .on(t.queued_at)
      .where(sql`${t.queued_at} is not null`),
  ],
)

/** Addresses that get one email on the release of a product. The address is emptied with that email. */
export const release_waitlist = pgTable(
  'release_waitlist',
  {
    id: uuid().primaryKey(),
    product_id: uuid()
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    email: text().notNull(),
    /** Of the token in the email that asks; the newest one counts. */
    hash: bytes().unique(),
    requested_at: moment(),
    requests: integer().notNull().default(1),
    confirmed_at: moment(),
    queued_at: moment(),
    mail_id: uuid(),
    outcome: text({ enum: scheduledOutcomes }),
    created_at: created_at(),
  },
  (t) => [
    uniqueIndex('release_waitlist_once')
      .on(t.product_id, t.email)
      .where(sql`${t.email} <> ''`),
    index('release_waitlist_of_address').on(t.email),
    index('release_waitlist_waiting')
      .on(t.product_id, t.id)
      .where(sql`${t.queued_at} is null and ${t.confirmed_at} is not null`),
  ],
)

/**
 * Discount codes that were mailed to addresses. Rows with a product are free copies of the version before;
 * `take_over_gifts` copies them to `purchase_gifts`.
 */
export const mailed_codes = pgTable(
  'gifts',
  {
    id: uuid().primaryKey(),
    email: text().notNull(),
    name: text(),
    product_id: uuid().references(() => products.id),
    code_id: uuid().references(() => discount_codes.id),
    purchase_id: uuid().references(() => purchases.id),
    message: text().notNull().default(''),
    created_at: created_at(),
    mailed_at: moment().notNull().defaultNow(),
  },
  (t) => [
    check('gifts_present', sql`num_nonnulls(${t.product_id}, ${t.code_id}) = 1`),
    unique('gifts_product').on(t.product_id, t.email),
    unique('gifts_code').on(t.code_id, t.email),
    index('gifts_newest').on(t.created_at.desc().nullsFirst(), t.id.desc().nullsFirst()),
  ],
)

/**
 * Copies for an address: of a buyer, whose purchase stays the buyer's, or a free copy of the author. The recipient has a
 * purchase of their own. Deleted when the copy is taken back. Addresses and texts are empty once their owner is erased.
 * The name is that of the version before, which knows gifts of buyers only.
 */
export const gifts = pgTable(
  'purchase_gifts',
  {
    id: uuid().primaryKey().defaultRandom(),
    /** What the buyer paid for; null for a copy of the author. */
    purchase_id: uuid()
      .unique('purchase_gifts_purchase')
      .references(() => purchases.id, { onDelete: 'cascade' }),
    /** Of a copy of the author. */
    product_id: uuid().references(() => products.id),
    /** The recipient's purchase: of a copy of the author from the beginning, else once the gift is opened. */
    received_id: uuid().references(() => purchases.id, { onDelete: 'set null' }),
    email: text().notNull(),
    recipient_name: text().notNull().default(''),
    sender_name: text().notNull(),
    note: text().notNull().default(''),
    send_at: moment().notNull(),
    /** Its links have it; another one with each change by the buyer, so that those of an earlier one do nothing. */
    revision: uuid().notNull(),
    /** Of the version before, which sends nothing where they are set. */
    queued_at: moment(),
    sent_at: moment(),
    failed_at: moment(),
    reminded_at: moment(),
    opened_at: moment(),
    created_at: created_at(),
  },
  (t) => [
    index('purchase_gifts_due')
      .on(t.send_at)
      .where(sql`${t.queued_at} is null`),
    index('purchase_gifts_unopened')
      .on(t.sent_at)
      .where(sql`${t.opened_at} is null and ${t.reminded_at} is null`),
    index('purchase_gifts_of_address').on(sql`lower(${t.email})`),
    index('purchase_gifts_revision').on(t.revision),
    index('purchase_gifts_received').on(t.received_id),
    index('purchase_gifts_of_author')
      .on(t.created_at.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.purchase_id} is null`),
    uniqueIndex('purchase_gifts_once')
      .on(t.product_id, sql`lower(${t.email})`)
      .where(sql`${t.purchase_id} is null and ${t.email} <> ''`),
  ],
)

/** One for each email, so that an email that came twice opens the gift with either. */
export const gift_links = pgTable(
  'gift_links',
  {
    hash: bytes().primaryKey(),
    /** Null for a copy of the author. */
    purchase_id: uuid().references(() => gifts.purchase_id, { onDelete: 'cascade' }),
    revision: uuid().notNull(),
    created_at: created_at(),
  },
  (t) => [index('gift_links_of_gift').on(t.purchase_id), index('gift_links_of_revision').on(t.revision)],
)

export const downloads = pgTable(
  'downloads',
  {
    id: uuid().primaryKey(),
    purchase_id: uuid()
      .notNull()
      .references(() => purchases.id),
    file_path: text().notNull(),
    created_at: created_at(),
    started_at: moment(),
    /** Of all ranges together; null where the file is elsewhere, and for downloads from before they were counted. */
    sent_bytes: bigint({ mode: 'number' }),
    finished_at: moment(),
    ip: text(),
    user_agent: text(),
  },
  (t) => [index('downloads_of_purchase').on(t.purchase_id, t.created_at)],
)
