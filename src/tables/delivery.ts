// The tables of editions, days of release, waitlists, gifts and downloads.
import { sql } from 'drizzle-orm'
import { bigint, boolean, index, integer, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { created_at, moment, bytes } from './columns.ts'
import { users } from './accounts.ts'
import { product_files, products } from './catalog.ts'
import { purchases } from './orders.ts'

/** A row is an edition that its owners are told of. */
export const edition_announcements = pgTable('edition_announcements', {
  file_id: uuid()
    .primaryKey()
    .references(() => product_files.id),
  paused_at: moment(),
  created_at: created_at(),
})

/** A row says what a reader wants to be told of. A reader without one is told everything. */
export const mail_choices = pgTable('mail_choices', {
  user_id: uuid()
    .primaryKey()
    .references(() => users.id, { onDelete: 'cascade' }),
  /** The links that turn these emails off without signing in have it; it is readable, as later emails carry it again. */
  token: text().notNull().unique(),
  has_editions: boolean().notNull().default(true),
  created_at: created_at(),
})

/** Addresses that get one email on the release of a product. The address is emptied with that email. */
export const release_waitlist = pgTable(
  'release_waitlist',
  {
    id: uuid().primaryKey(),
    product_id: uuid()
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    email: text().notNull(),
    /** The hash is that of the token in the email that asks; the newest one counts. */
    hash: bytes().unique(),
    requested_at: moment(),
    requests: integer().notNull().default(1),
    confirmed_at: moment(),
    /** Its email was scheduled then. */
    queued_at: moment(),
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
 * Copies for an address: of a buyer, whose purchase stays the buyer's, or a free copy of the author. The recipient has a
 * purchase of their own. Deleted when the copy is taken back. Addresses and texts are empty once their owner is erased.
 */
export const gifts = pgTable(
  'purchase_gifts',
  {
    id: uuid().primaryKey().defaultRandom(),
    /** The buyer paid for this purchase; null for a copy of the author. */
    purchase_id: uuid()
      .unique('purchase_gifts_purchase')
      .references(() => purchases.id, { onDelete: 'cascade' }),
    /** A copy of the author alone names its product. */
    product_id: uuid().references(() => products.id),
    /** The recipient's purchase: of a copy of the author from the beginning, else once the gift is opened. */
    received_id: uuid().references(() => purchases.id, { onDelete: 'set null' }),
    email: text().notNull(),
    recipient_name: text().notNull().default(''),
    sender_name: text().notNull(),
    note: text().notNull().default(''),
    send_at: moment().notNull(),
    /** Its links have it; another one where the buyer has its email sent again, so that those of an earlier one do nothing. */
    revision: uuid().notNull(),
    opened_at: moment(),
    created_at: created_at(),
  },
  (t) => [
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
    /** All ranges are counted together; null where the file is elsewhere. */
    sent_bytes: bigint({ mode: 'number' }),
    finished_at: moment(),
    ip: text(),
    user_agent: text(),
  },
  (t) => [index('downloads_of_purchase').on(t.purchase_id, t.created_at)],
)
