// The promise made with the purchase, and the right of withdrawal of Directive 2011/83/EU (articles 9 and 16 m).
import { sql, type SQL } from 'drizzle-orm'
import { isAllAskedBack } from './entitlements.ts'
import type { RefundRight, WaitingReason } from '#contract/orders/purchases.ts'
import { lawfulCountries } from '#contract/orders/lawful-countries.ts'

/** Days from the receipt of goods; for digital content from the contract. */
const lawfulDays = 14

/** The day of receipt is not known, so a parcel is taken to be on its way for so long. */
const maxTransitDays = 14

const quotedCountries = lawfulCountries.map((code) => `'${code}'`).join(', ')

/** A pre-order, of which nothing was downloaded, can be taken back until its day; the promise begins with the day. */
export function isBeforeRelease(purchase: SQL, at: SQL): SQL<boolean> {
  return sql<boolean>`(coalesce(${at} < release_moment(${purchase}.product_id), false)
    and not exists (select from downloads d where d.purchase_id = ${purchase}.id and d.started_at is not null))`
}

/** The product was out by then, or a part of the bundle. */
export const wasOut = (product: SQL, at: SQL) => sql<boolean>`(${product}.release_on is null
  or ${product}.release_on <= (${at} at time zone (select time_zone from sums_settings))::date)`

/** Nothing was paid for it, and nothing of it has left: an order that is no copy of the author, and no gift of a buyer. */
export function isFreeOrder(purchase: SQL): SQL<boolean> {
  return sql<boolean>`(${purchase}.amount = 0 and ${purchase}.status = 'completed'
    and not ${purchase}.is_given and ${purchase}.gift_of is null
    and not exists (select from shipments s where s.purchase_id = ${purchase}.id and s.shipped_at is not null))`
}

const beginOf = (purchase: SQL) =>
  sql`greatest(${purchase}.created_at, release_moment(${purchase}.product_id))`

/** The day of release, where the promise begins with it; null where it begins with the purchase. */
export const promisedFrom = (purchase: SQL) => sql<string | null>`(
  select case when moment > ${purchase}.created_at
    then (moment at time zone (select time_zone from sums_settings))::date::text end
  from release_moment(${purchase}.product_id) moment)`

const isPromised = (purchase: SQL, at: SQL) => sql`(${isBeforeRelease(purchase, at)}
    or ${purchase}.refund_days > 0 and ${at} < ${beginOf(purchase)} + make_interval(days => ${purchase}.refund_days))`

/** Unknown where neither a parcel nor the payment says the country, and then the law is taken to hold. */
const isInLawfulCountry = (purchase: SQL) =>
  sql`coalesce(${purchase}.country in (${sql.raw(quotedCountries)}), true)`

const isLawful = (purchase: SQL, at: SQL) => sql`(${isInLawfulCountry(purchase)}
    and coalesce((select s.shipped_at is null or ${at} < s.shipped_at + make_interval(days => ${lawfulDays + maxTransitDays})
        from shipments s where s.purchase_id = ${purchase}.id),
      ${at} < ${purchase}.created_at + make_interval(days => ${lawfulDays}) and not ${isWaived(purchase, at)}))`

/** Article 16 m: with the consent, its confirmation by email, and the beginning of the first download. */
const isWaived = (
  purchase: SQL,
  at: SQL,
) => sql`(exists (select from consents k where k.purchase_id = ${purchase}.id)
    and exists (select from mails m where m.purchase_id = ${purchase}.id and m.kind = 'receipt' and m.sent_at < ${at})
    and exists (select from downloads d where d.started_at < ${at} and ${isDownloadOf(purchase)}))`

/** When the right of the law has ended, in JSON; null where it has not, or there was none. Goods are taken to be on their way. */
export const endedRight = (purchase: SQL, at: SQL): SQL => sql`(
  select jsonb_build_object('at', to_json(ended.at), 'is_waived', ended.is_waived) from (
    select s.shipped_at + make_interval(days => ${lawfulDays + maxTransitDays}) as at, false as is_waived
    from shipments s where s.purchase_id = ${purchase}.id
    union all
    select least(period.at, waiver.at), coalesce(waiver.at < period.at, false)
    from (select ${purchase}.created_at + make_interval(days => ${lawfulDays}) as at) period,
      (select case when ${isWaived(purchase, at)} then greatest(
        (select min(m.sent_at) from mails m where m.purchase_id = ${purchase}.id and m.kind = 'receipt'),
        (select min(d.started_at) from downloads d where ${isDownloadOf(purchase)})) end as at) waiver
    where not exists (select from shipments s where s.purchase_id = ${purchase}.id)) ended
  where ${isInLawfulCountry(purchase)} and ended.at <= ${at})`

const isDownloadOf = (purchase: SQL) => sql`(d.purchase_id = ${purchase}.id
  or d.purchase_id in (select received.id from purchases received where received.gift_of = ${purchase}.id))`

/**
 * Test orders count among test orders. `byLaw` also counts withdrawals by the law, unless a bank took the money back after
 * one, which always counts.
 */
function wasReturnedBefore(purchase: SQL, at: SQL, { byLaw }: { byLaw: boolean }): SQL<boolean> {
  const isByLaw = sql`o.status <> 'disputed' and ow.declared_at is not null and ${isLawful(sql`o`, sql`ow.declared_at`)}`
  return sql<boolean>`exists (
    select from purchases o left join withdrawals ow on ow.purchase_id = o.id
    where o.user_id = ${purchase}.user_id and o.product_id = ${purchase}.product_id and o.id <> ${purchase}.id
      and o.is_test = ${purchase}.is_test
      and (o.status in ('refunded', 'disputed') or ${isAllAskedBack(sql`o`)})
      ${byLaw ? sql`` : sql`and not (${isByLaw})`}
      and coalesce(ow.declared_at, (select min(r.created_at) from refund_requests r where r.purchase_id = o.id),
        (select min(a.created_at) from adjustments a where a.purchase_id = o.id), o.created_at) < ${at})`
}

/** The promise holds once for a product. A withdrawal by the law is a right of its own and uses up no promise. */
const isUnused = (purchase: SQL, at: SQL) =>
  sql`(${isBeforeRelease(purchase, at)} or not ${wasReturnedBefore(purchase, at, { byLaw: false })})`

/** Each further refund of a product waits for the author, also where the law or the promise binds. */
const isRepeated = (purchase: SQL, at: SQL) =>
  sql`(not ${isBeforeRelease(purchase, at)} and ${wasReturnedBefore(purchase, at, { byLaw: true })})`

/** `at`, for the conditions that name it many times. PostgreSQL copies it to each place unless there is an offset. */
const once = (at: SQL) => sql`(select ${at} as at offset 0) moment`
const atOnce = sql`moment.at`

/**
 * The right by which the buyer may give a paid purchase back, null where there is none: it decides whether the button is
 * there, what it says, and whether the author may refuse. The law goes before a promise.
 */
export function refundRight(purchase: SQL, at: SQL): SQL<RefundRight | null> {
  return sql<RefundRight | null>`(
    select case when ${isLawful(purchase, atOnce)} then 'law' when ${isPromised(purchase, atOnce)} then
      case when ${isUnused(purchase, atOnce)} then 'promise' else 'request' end end
    from ${once(at)})`
}

/** The file of a bundle has no right of the law any more, and its paper has. A promise covers both. */
const isFileWaived = (purchase: SQL, at: SQL) => sql`(${isInLawfulCountry(purchase)}
    and exists (select from shipments s where s.purchase_id = ${purchase}.id)
    and ${isWaived(purchase, at)} and not (${isPromised(purchase, at)} and ${isUnused(purchase, at)}))`

/** The right at this moment covers the paper of a bundle alone, so that a part of the money settles it. */
export const coversPaperAlone = (purchase: SQL, at: SQL): SQL<boolean> =>
  sql<boolean>`(select ${isFileWaived(purchase, atOnce)} from ${once(at)})`

/** Why the money of a purchase that is given back at this moment waits for the author; null where it goes back by itself. */
export function waitingReason(purchase: SQL, at: SQL): SQL<WaitingReason | null> {
  return sql<WaitingReason | null>`(
    select case
      when exists (select from shipments s where s.purchase_id = ${purchase}.id and s.shipped_at is not null) then 'return'
      when ${isRepeated(purchase, atOnce)} then 'repeat'
      when ${isFileWaived(purchase, atOnce)} then 'downloaded' end
    from ${once(at)})`
}
