// Whether a purchase entitles its buyer to anything: the one definition, for downloads, shipping and mails.
import { sql, type SQL } from 'drizzle-orm'

/**
 * Whether a purchase gives its buyer anything: completed, also when a part was given back, and not all of it asked back.
 * `purchase` names the row of purchases in the query around it.
 */
export function isEntitled(purchase: SQL): SQL<boolean> {
  return sql<boolean>`(is_completed(${purchase}.status) and not exists (
    select from refund_requests r where r.purchase_id = ${purchase}.id and r.status = 'asked'
      and r.amount >= ${purchase}.amount - ${purchase}.refunded))`
}
