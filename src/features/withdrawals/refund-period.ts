// The promise made with the purchase, and the right of withdrawal of Directive 2011/83/EU (articles 9 and 16 m).
import { sql, type SQL } from 'drizzle-orm'
import { isAllAskedBack } from '../entitlements/entitlements.ts'
import { purchases } from '../purchases/schema.ts'
import type { Binding } from './contract/withdrawals.ts'

/** From the receipt of goods; for digital content from the contract. */
const lawfulDays = 14

/** The day of receipt is not known, so a parcel is taken to be on its way for so long. */
const maxTransitDays = 14

// The EEA with the parts of France and Finland that have codes of their own, and the United Kingdom.
const lawfulCountries =
  'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK IS LI NO AX GF GP MF MQ RE YT GB'
    .split(' ')
    .map((code) => `'${code}'`)
    .join(', ')

/** A pre-order, of which nothing was downloaded, can be taken back until its day; the promise begins with the day. */
export function isBeforeRelease(purchase: SQL, at: SQL): SQL<boolean> {
  return sql<boolean>`(coalesce(${at} < release_moment(${purchase}.product_id), false)
    and not exists (select from downloads d where d.purchase_id = ${purchase}.id and d.started_at is not null))`
}

const beginOf = (purchase: SQL) =>
  sql`greatest(${purchase}.created_at, release_moment(${purchase}.product_id))`

function isPromised(purchase: SQL, at: SQL): SQL {
  return sql`(${isBeforeRelease(purchase, at)}
    or ${purchase}.refund_days > 0 and ${at} < ${beginOf(purchase)} + make_interval(days => ${purchase}.refund_days) and (${purchase}.refund_terms = 'always' or not ${wasReturnedBefore(purchase, at)}))`
}

/** `isUnknown` stands for a parcel without an address. */
function isGoodsPeriod(purchase: SQL, at: SQL, isUnknown: boolean): SQL {
  return sql`exists (select from shipments s where s.purchase_id = ${purchase}.id
    and coalesce(s.country in (${sql.raw(lawfulCountries)}), ${isUnknown})
    and (s.shipped_at is null or ${at} < s.shipped_at + make_interval(days => ${lawfulDays + maxTransitDays})))`
}

/** The buyer's country is not known, so the law is taken to hold. Consent ends it with the delivery. */
function isDigitalPeriod(purchase: SQL, at: SQL): SQL {
  return sql`(${at} < ${purchase}.created_at + make_interval(days => ${lawfulDays})
    and not exists (select from shipments s where s.purchase_id = ${purchase}.id)
    and not (exists (select from consents k where k.purchase_id = ${purchase}.id)
      and exists (select from downloads d where d.created_at < ${at} and (d.purchase_id = ${purchase}.id
        or d.purchase_id in (select received.id from purchases received where received.gift_of = ${purchase}.id)))))`
}

/** Test orders count among test orders. */
export function wasReturnedBefore(purchase: SQL, at: SQL): SQL<boolean> {
  return sql<boolean>`exists (
    select from purchases o left join withdrawals ow on ow.purchase_id = o.id
    where o.user_id = ${purchase}.user_id and o.product_id = ${purchase}.product_id and o.id <> ${purchase}.id
      and o.is_test = ${purchase}.is_test
      and (o.status in ('refunded', 'disputed') or ${isAllAskedBack(sql`o`)})
      and coalesce(ow.declared_at, (select min(r.created_at) from refund_requests r where r.purchase_id = o.id),
        (select min(a.created_at) from adjustments a where a.purchase_id = o.id), o.created_at) < ${at})`
}

export function bindingOf(purchase: SQL, at: SQL): SQL<Binding | null> {
  return sql<Binding | null>`case when ${isPromised(purchase, at)} then 'promise'
    when ${isGoodsPeriod(purchase, at, true)} or ${isDigitalPeriod(purchase, at)} then 'law' end`
}

const now = sql`now()`

/** While the button is shown. The law alone shows it only where it is known to hold. */
export const isWithinRefundPeriod = sql<boolean>`(
  ${isBeforeRelease(sql`${purchases}`, now)}
  or ${purchases.refund_days} > 0 and ${beginOf(sql`${purchases}`)} > now() - make_interval(days => ${purchases.refund_days})
  or ${isGoodsPeriod(sql`${purchases}`, now, false)})`
