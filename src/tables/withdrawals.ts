import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { bytes, created_at, moment, oneOf } from './columns.ts'
import { purchases } from './purchases.ts'
import { decisions, waitingReasons } from '#contract/orders/withdrawals.ts'

export const withdrawals = pgTable(
  'withdrawals',
  {
    purchase_id: uuid()
      .primaryKey()
      .references(() => purchases.id, { onDelete: 'cascade' }),
    reason: text().notNull().default(''),
    waits_for: text({ enum: waitingReasons }),
    decision: text({ enum: decisions }),
    refusal: text(),
    decided_at: moment(),
    declared_at: created_at(),
  },
  (t) => [
    check('withdrawals_waits_for', oneOf('waits_for', waitingReasons)),
    check('withdrawals_decision', oneOf('decision', decisions)),
    check('withdrawals_decided', sql`(${t.decision} is null) = (${t.decided_at} is null)`),
    check(
      'withdrawals_refusal',
      sql`(${t.decision} is not distinct from 'refused') = (${t.refusal} is not null)`,
    ),
    index('withdrawals_waiting')
      .on(t.declared_at.desc().nullsFirst(), t.purchase_id)
      .where(sql`${t.decided_at} is null`),
  ],
)

/** Of who had nothing at hand that proves the order: each counts from its time, and does nothing before a proof. */
export const withdrawal_declarations = pgTable(
  'withdrawal_declarations',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    email: text().notNull(),
    /** Of the order, where it was at hand. */
    number: integer(),
    ordered: text().notNull().default(''),
    /** Of the token in the link of its acknowledgement. */
    hash: bytes().unique(),
    /** It took effect for `purchase_id`, or the author dismissed it. */
    closed_at: moment(),
    purchase_id: uuid().references(() => purchases.id, { onDelete: 'set null' }),
    declared_at: created_at(),
  },
  (t) => [
    index('withdrawal_declarations_of_writer').on(t.email),
    index('withdrawal_declarations_open')
      .on(t.declared_at.desc().nullsFirst(), t.id.desc().nullsFirst())
      .where(sql`${t.closed_at} is null`),
  ],
)
