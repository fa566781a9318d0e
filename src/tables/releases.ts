import { sql } from 'drizzle-orm'
import {
  check,
  date,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytes, created_at, moment, oneOf } from './columns.ts'
import { profiles } from './accounts.ts'
import { bulkOutcomes } from '#contract/mail/mail-kinds.ts'
import { products } from './products.ts'

/** `out`: it can be had now. `moved`: it comes out on another day, and can be taken back. */
export const releaseNews = ['out', 'moved'] as const

/** One row for each reader and piece of news, until the queue takes it and afterwards. */
export const release_mails = pgTable(
  'release_mails',
  {
    product_id: uuid()
      .notNull()
      .references(() => products.id, { onDelete: 'cascade' }),
    user_id: uuid()
      .notNull()
      .references(() => profiles.user_id),
    news: text({ enum: releaseNews }).notNull(),
    release_on: date({ mode: 'string' }).notNull(),
    queued_at: moment(),
    mail_id: uuid(),
    outcome: text({ enum: bulkOutcomes }),
  },
  (t) => [
    primaryKey({ columns: [t.product_id, t.user_id, t.news, t.release_on] }),
    check('release_mails_news', oneOf('news', releaseNews)),
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
    outcome: text({ enum: bulkOutcomes }),
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
