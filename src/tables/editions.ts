import { sql } from 'drizzle-orm'
import { boolean, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { created_at, moment } from './columns.ts'
import { bulkOutcomes } from '#contract/mail/mail-kinds.ts'
import { users } from './accounts.ts'
import { product_files } from './products.ts'

/** Of an edition that its owners are told of. */
export const edition_announcements = pgTable('edition_announcements', {
  file_id: uuid()
    .primaryKey()
    .references(() => product_files.id),
  paused_at: moment(),
  created_at: created_at(),
})

/** One for each owner at the time of the announcement. */
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
    outcome: text({ enum: bulkOutcomes }),
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
