// Whether a purchase entitles its buyer to anything: the one definition, for downloads, shipping and mails.
import { sql, type SQL } from 'drizzle-orm'

/** All that is left of its money was asked back and is on its way. `purchase` as in isEntitled. */
export function isAllAskedBack(purchase: SQL): SQL<boolean> {
  return sql<boolean>`exists (
    select from refund_requests r where r.purchase_id = ${purchase}.id and r.status = 'asked'
      and r.amount >= ${purchase}.amount - ${purchase}.refunded)`
}

/** Its buyer has asked for the money back, and the author has not decided. `purchase` as in isEntitled. */
function isWithdrawalOpen(purchase: SQL): SQL<boolean> {
  return sql<boolean>`exists (
    select from withdrawals w where w.purchase_id = ${purchase}.id and w.decided_at is null)`
}

/**
 * Its buyer has asked for the money back, and the author has not refused: also while the money was to go back, and did not
 * arrive. `purchase` as in isEntitled.
 */
export function isWithdrawn(purchase: SQL): SQL<boolean> {
  return sql<boolean>`exists (
    select from withdrawals w where w.purchase_id = ${purchase}.id and w.decision is distinct from 'refused')`
}

/**
 * Whether a purchase gives its buyer anything: completed, also when a part was given back, and not all of it asked back.
 * `purchase` names the row of purchases in the query around it.
 */
export function isEntitled(purchase: SQL): SQL<boolean> {
  return sql<boolean>`(is_completed(${purchase}.status) and not ${isAllAskedBack(purchase)}
    and not ${isWithdrawalOpen(purchase)})`
}
