// The settings that the sums are computed with. The groups of settings are the platform's.
import { boolean, pgTable, text } from 'drizzle-orm/pg-core'

export const sums_settings = pgTable('sums_settings', {
  is_only: boolean().primaryKey().default(true),
  time_zone: text().notNull(),
  /** Test orders count until the shop takes money or an own book opens, so that an author sees that they arrive. */
  counts_tests: boolean().notNull().default(true),
  currency: text().notNull().default('usd'),
})
