import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { created_at, moment } from './columns.ts'
import { purchases } from './orders.ts'
import type { MailKind } from '#contract/mail/mail-kinds.ts'

export const mails = pgTable(
  'mails',
  {
    id: uuid().primaryKey(),
    kind: text().$type<MailKind>().notNull(),
    recipient: text().notNull(),
    subject: text().notNull(),
    purchase_id: uuid().references(() => purchases.id),
    /** Of a contact message that is passed on. */
    message_id: uuid(),
    /** `kept`: written to the outbox, because no mail server is set. */
    status: text({ enum: ['sent', 'kept', 'failed'] }).notNull(),
    attempts: integer().notNull().default(1),
    error: text(),
    created_at: created_at(),
    sent_at: moment(),
    /** When the author sent an unsent one; null again once it was tried. */
    queued_at: moment(),
    /** As plain text, without links; null for what is of use at its time only, and after 90 days. */
    body: text(),
    /** When the author last had it sent again. */
    repeated_at: moment(),
    /** When the last retry failed; null again once the author has resolved it. */
    given_up_at: moment(),
  },
  (t) => [
    index('mails_of_purchase').on(t.purchase_id),
    index('mails_of_message')
      .on(t.message_id)
      .where(sql`${t.message_id} is not null`),
    index('mails_newest').on(t.created_at.desc().nullsFirst(), t.id.desc().nullsFirst()),
    index('mails_of_recipient').on(sql`lower(${t.recipient})`, t.created_at.desc().nullsFirst()),
    index('mails_with_body')
      .on(t.created_at)
      .where(sql`${t.body} is not null`),
    index('mails_unsent')
      .on(t.created_at)
      .where(sql`${t.status} = 'kept'`),
    index('mails_failed')
      .on(t.created_at)
      .where(sql`${t.status} = 'failed'`),
    index('mails_given_up')
      .on(t.given_up_at.desc().nullsFirst(), t.id)
      .where(sql`${t.given_up_at} is not null`),
  ],
)
