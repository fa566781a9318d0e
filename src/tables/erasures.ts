import { index, jsonb, pgTable, uuid } from 'drizzle-orm/pg-core'
import { bytes, created_at, moment } from './columns.ts'
import { profiles } from './accounts.ts'
import { purchases } from './purchases.ts'
import type { LockedBuyer } from '#contract/operations/erasures.ts'

/** Accounts that are to be erased; the row goes with the erasure. */
export const erasures = pgTable(
  'erasures',
  {
    user_id: uuid()
      .primaryKey()
      .references(() => profiles.user_id, { onDelete: 'cascade' }),
    asked_at: created_at(),
    due_at: moment().notNull(),
    /** Since then nobody can sign in; what was under way then has ended before the erasure. */
    began_at: moment(),
  },
  (t) => [index('erasures_due').on(t.due_at)],
)

/** SHA-256 of the ids of erased accounts and of their purchases, which are random. */
export const erased_ids = pgTable('erased_ids', {
  hash: bytes().primaryKey(),
  erased_at: created_at(),
})

/** Who paid for what an erased account bought, for as long as books have to be kept. */
export const locked_buyers = pgTable(
  'locked_buyers',
  {
    purchase_id: uuid()
      .primaryKey()
      .references(() => purchases.id, { onDelete: 'cascade' }),
    buyer: jsonb().$type<Omit<LockedBuyer, 'locked_until'>>().notNull(),
    locked_until: moment().notNull(),
  },
  (t) => [index('locked_buyers_until').on(t.locked_until)],
)
