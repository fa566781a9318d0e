// Conditions of a purchase. `purchase` names the row of purchases in the query around it.
import { sql, type SQL } from 'drizzle-orm'
import type { MailKind } from '#contract/mail/mail-kinds.ts'
import type { MailsOfOrders } from '#domains/mail/shop.ts'

export function isAllAskedBack(purchase: SQL): SQL<boolean> {
  return sql<boolean>`exists (
    select from refund_requests r where r.purchase_id = ${purchase}.id and r.status = 'requested'
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

/** Its money came, and may have gone back since. False after a dispute: its own or, for a gift received, that of the payment. */
export function wasCompleted(purchase: SQL): SQL<boolean> {
  return sql<boolean>`((is_completed(${purchase}.status) or ${purchase}.status = 'refunded')
    and not exists (select from purchases paid where paid.id = ${purchase}.gift_of and paid.status = 'disputed'))`
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

/** The number of the first other order by which its buyer has the same product; null where there is none. */
export function otherOrder(purchase: SQL): SQL<number | null> {
  return sql<number | null>`(
    select min(other.number) from purchases other where other.user_id = ${purchase}.user_id
      and other.product_id = ${purchase}.product_id and other.id <> ${purchase}.id and ${isEntitled(sql`other`)})`
}

/** Mails that speak of a purchase as one that is the buyer's. */
const ofPurchase = sql.param(['receipt', 'gift', 'shipped'] satisfies MailKind[])

/** Takes a row of purchases. None is shown as a test while test orders count. */
export function isShownAsTest(purchase: SQL): SQL<boolean> {
  return sql<boolean>`(${purchase}.is_test and not counts_tests())`
}

/** Its buyer may be written to about it. False after a refund, and for the sample's from before the own book opened. */
export const isMailable = (purchase: SQL) => sql`(${isPaidFor(purchase)} and not (
  ${isShownAsTest(purchase)} and not exists (select from checkouts c where c.purchase_id = ${purchase}.id)))`

/** Takes mails as `m`. */
const isMailStillOwed = sql`(m.purchase_id is null or not m.kind = any(${ofPurchase}::text[]) or exists (
  select from purchases p where p.id = m.purchase_id and ${isMailable(sql`p`)}))`

export const mailsOfOrders: MailsOfOrders = {
  isStillOwed: isMailStillOwed,
  number: sql`(select p.number from purchases p where p.id = m.purchase_id)`,
  isAbout: (number) => sql`m.purchase_id = (select p.id from purchases p where p.number = ${number})`,
}

/**
 * Takes a row of purchases and its row of products: a file that was paid for and that its buyer has not begun to download.
 * Paper goes to any address that the buyer names, so it is not given this way.
 */
export function isGivable(purchase: SQL, product: SQL): SQL<boolean> {
  return sql<boolean>`(${product}.is_digital and ${purchase}.amount > 0 and ${purchase}.gift_of is null
    and ${isEntitled(purchase)}
    and not exists (select from shipments s where s.purchase_id = ${purchase}.id)
    and not exists (select from downloads d where d.purchase_id = ${purchase}.id and d.started_at is not null))`
}

/** The email about a gift `g`, as a row of its own. */
const emailOfGift = sql`
  from scheduled_emails s
  where s.kind = 'gift_to_someone' and s.about = g.purchase_id and s.version = g.revision::text`

/** Takes a row `g` of purchase_gifts; null where there is none. */
export const givenState = sql`case when g.opened_at is not null then 'opened' else coalesce((
  select case when s.outcome in ('sent', 'failed') then s.outcome when s.queued_at is not null then 'on_its_way' end
  ${emailOfGift}), 'scheduled') end`

export const givenAt = sql`coalesce(g.opened_at, (select s.settled_at ${emailOfGift}), g.send_at)`

/** Takes a purchase `p`: it gives the product, alone or in a bundle. */
export const givesProduct = (product_id: SQL): SQL => sql`(p.product_id = ${product_id}
  or p.product_id in (select i.bundle_id from bundle_items i where i.product_id = ${product_id}))`

/** The readers who have a product, each once. */
export const ownersOf = (product_id: SQL): SQL => sql`(
  select distinct p.user_id from purchases p
  where p.user_id is not null and ${givesProduct(product_id)} and ${isEntitled(sql`p`)})`

export const countOrdered = (product_id: SQL): SQL =>
  sql`(select count(*) from ${ownersOf(product_id)} owners)`

/** It costs less than to count the owners: the first one is enough. */
export const isOwned = (product_id: SQL): SQL<boolean> => sql<boolean>`exists (
  select from purchases p where p.user_id is not null and ${givesProduct(product_id)} and ${isEntitled(sql`p`)})`
