import { sql } from 'drizzle-orm'

/**
 * For a row of purchases: bought of the sample, at its price, before the own book opened. Nobody has paid, and it is in
 * no sum (sums-settings.ts).
 */
export const isTrial = sql<boolean>`(purchases.is_test and purchases.amount > 0
  and not exists (select from checkouts where checkouts.purchase_id = purchases.id))`
