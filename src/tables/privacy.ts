// The table of the buyers of what an erased account bought.
import { index, jsonb, pgTable, uuid } from 'drizzle-orm/pg-core'
import type { LockedBuyer } from '#contract/privacy/erasures.ts'
import { moment } from './columns.ts'
import { purchases } from './orders.ts'

/** A row says who paid for what an erased account bought, for as long as books have to be kept. */
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
