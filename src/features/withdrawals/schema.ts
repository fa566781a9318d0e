import { sql } from 'drizzle-orm'
import { check, index, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { created_at, moment, oneOf } from '#platform/db/columns.ts'
import { purchases } from '../purchases/schema.ts'
import { decisions, waitingReasons } from './contract/withdrawals.ts'

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
