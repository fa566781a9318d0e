// Conditions of a purchase. `purchase` names the row of purchases in the query around it.
import { sql, type SQL } from 'drizzle-orm'
import type { MailKind } from '#contract/mail/mail-kinds.ts'

export function isAllAskedBack(purchase: SQL): SQL<boolean> {
  return sql<boolean>`exists (
    select from refund_requests r where r.purchase_id = ${purchase}.id and r.status = 'asked'
      and r.amount >= ${purchase}.amount - ${purchase}.refunded)`
}

function isWithdrawalOpen(purchase: SQL): SQL<boolean> {
  return sql<boolean>`exists (
    select from withdrawals w where w.purchase_id = ${purchase}.id and w.decided_at is null)`
}

/** The author has not refused the withdrawal. True also where the refund failed. */
export function isWithdrawn(purchase: SQL): SQL<boolean> {
  return sql<boolean>`exists (
    select from withdrawals w where w.purchase_id = ${purchase}.id and w.decision is distinct from 'refused')`
}

/** Paid, and its money is not going back: also while someone else has the copy. */
export function isPaidFor(purchase: SQL): SQL<boolean> {
  return sql<boolean>`(is_completed(${purchase}.status) and not ${isAllAskedBack(purchase)}
    and not ${isWithdrawalOpen(purchase)})`
}

/** It gives the book: a copy was neither given away nor received for a payment that went back. */
export function isEntitled(purchase: SQL): SQL<boolean> {
  return sql<boolean>`(${isPaidFor(purchase)}
    and not exists (select from purchase_gifts given where given.purchase_id = ${purchase}.id)
    and not exists (select from purchases paid where paid.id = ${purchase}.gift_of and not ${isPaidFor(sql`paid`)}))`
}

/** Mails that speak of a purchase as one that is the buyer's. */
const ofPurchase = sql.param(['receipt', 'gift', 'shipped'] satisfies MailKind[])

/** For mails as `m`. False for a purchase that was refunded or ended, and for the sample's that was tried before the own book opened. */
export const isMailStillOwed = sql`(m.purchase_id is null or not m.kind = any(${ofPurchase}::text[]) or exists (
  select from purchases p where p.id = m.purchase_id and ${isPaidFor(sql`p`)} and not (
    p.is_test and not exists (select from checkouts c where c.purchase_id = p.id))))`
