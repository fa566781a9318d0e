// Purchases as their buyers see them, and orders as the admin area lists them.
import { and, eq, sql, desc, ne, or, type SQL } from 'drizzle-orm'
import {
  endedRight as endedRightFields,
  purchase,
  type Purchase,
  type OwnPurchases,
  type OwnPurchasesRequest,
  type RefundRight,
  type WaitingReason,
  type Withdrawal,
} from '#contract/orders/purchases.ts'
import { parseOrderNumber, formatOrderNumber } from '#contract/orders/order-number.ts'
import { fromCents } from '#contract/money.ts'
import type { Seller } from '#contract/orders/seller.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { checkouts, withdrawals } from '#tables/payments.ts'
import {
  shipments,
  shipping_charges,
  purchases,
  discount_codes,
  discount_uses,
  guest_checkouts,
} from '#tables/orders.ts'
import { products, products as productTable } from '#tables/catalog.ts'
import { orderProblem } from './problem.ts'
import { isReleased, newestFiles, pendingRelease } from '#domains/catalog/product-sql.ts'
import {
  isAllAskedBack,
  isEntitled,
  givenAt,
  givenState,
  isGivable,
  isShownAsTest,
  otherOrder,
} from './entitlements.ts'
import { isFirstAddress, isSameCountry, type Destination } from './shipping.ts'
import {
  coversPaperAlone,
  endedRight,
  isBeforeRelease,
  isFreeOrder,
  refundRight,
  waitingReason,
} from './refund-right.ts'
import { declaredAt } from './withdrawal-declarations.ts'
import { momentKey, queryOne, readCursor, toPage, containing, midnight } from '#platform/db/query.ts'
import { isAddressedTo, shipmentColumns, toShipment } from './shipments.ts'
import {
  orderList,
  type OrderList,
  type OrderListRequest,
  type Order,
} from '#contract/orders/admin-orders.ts'
import { findUsers, isFitting, isPaidBy } from '#domains/accounts/user-search.ts'
import type { TickedBoxes } from './ticked-boxes.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { profiles } from '#tables/accounts.ts'
import { buyerEmail } from './guest-owners.ts'

export type Intent = Destination &
  TickedBoxes & {
    user_id: string
    product_id: string
    key: string | undefined
    code?: string | undefined
    /** The one that the buyer was shown. */
    seller?: Seller | undefined
  }

/** A buyer who gave an address only has no user until the payment. */
export type BuyerIntent = Omit<Intent, 'user_id'> & { user_id: string | null }

export async function getPurchase(tx: Db | Transaction, id: string): Promise<Purchase> {
  const query = selectPurchases(tx).where(eq(purchases.id, sql.placeholder('id')))
  // A named statement is planned once a connection: planning takes longer than executing it.
  const [row] = await query.prepare('shop_purchase_by_id').execute({ id })
  if (!row) throw orderProblem('purchases.not_found')
  return toPurchase(row)
}

type OwnPurchase = { user_id: string; purchase_id: string }

export async function getOwnPurchase(db: Db, { user_id, purchase_id }: OwnPurchase): Promise<Purchase> {
  const isOwn = and(eq(purchases.id, purchase_id), eq(purchases.user_id, user_id))
  const [row] = await selectPurchases(db).where(isOwn)
  if (!row) throw orderProblem('purchases.not_found')
  return toPurchase(row)
}

export async function findBought(
  tx: Transaction,
  { user_id, product_id, key, code, ...destination }: Intent,
): Promise<Purchase | undefined> {
  if (!key) return undefined
  const isOfKey = and(eq(purchases.user_id, user_id), eq(purchases.idempotency_key, key))
  const [row] = await selectPurchases(tx).where(isOfKey)
  if (!row) return undefined
  const isSame =
    row.product.id === product_id &&
    row.discount_code === (code ?? null) &&
    isSameCountry(row.shipping, destination) &&
    (await isFirstAddress(tx, { purchase_id: row.id, address: destination.address }))
  if (!isSame) throw orderProblem('purchases.key_reused')
  return toPurchase(row)
}

const canAsk = sql<boolean>`(${checkouts.payment_intent} is not null and is_completed(${purchases.status})
  and ${purchases.refunded} < ${purchases.amount} and not exists (
    select from refund_requests r where r.purchase_id = ${purchases.id} and r.status = 'requested')
  and (${withdrawals.purchase_id} is null or ${withdrawals.decision} = 'given'
    and not (${withdrawals.waits_for} = 'downloaded' and ${purchases.status} = 'partially_refunded')))`

/** Once declared, money that did not arrive may be asked for again, also after the period. */
const whenDeclared = sql`coalesce(${withdrawals.declared_at}, ${declaredAt(sql`${purchases}`)}, now())`

/** Days after the end of the right. In them the buyer’s page names that end and offers to ask the author for a refund. */
const askDays = 30

const endedLately = sql`case when ${canAsk} and ${withdrawals.purchase_id} is null then (
  select ended.ended from (select ${endedRight(sql`${purchases}`, sql`now()`)} as ended) ended
  where (ended.ended ->> 'at')::timestamptz > now() - make_interval(days => ${askDays})) end`

const { given, received } = purchase.shape
const purchasedFiles = purchase.shape.product.shape.files

/** What disputes took of `refunded`, and still have. */
export const takenByBank = (purchase: SQL) => sql`(
  select coalesce(-sum(a.amount), 0.00) from adjustments a
  where a.purchase_id = ${purchase}.id and a.kind in ('dispute', 'dispute_won'))`

function selectPurchases(db: Db | Transaction) {
  return db
    .select({
      id: purchases.id,
      number: purchases.number,
      amount: purchases.amount,
      refunded: purchases.refunded,
      taken_by_bank: takenByBank(sql`${purchases}`).mapWith(purchases.amount),
      currency: purchases.currency,
      status: purchases.status,
      seller: purchases.seller,
      created_at: purchases.created_at,
      /** Text, as a Date would lose the microseconds. */
      place: sql<string>`${purchases.created_at}::text`,
      is_held: sql<boolean>`${checkouts.held_reason} is not null`,
      is_dispute_lost: sql<boolean>`(${purchases.status} = 'disputed' and ${checkouts.dispute_status} is not distinct from 'lost')`,
      given: sql`(
        select jsonb_build_object('email', g.email, 'state', ${givenState}, 'at', to_json(${givenAt}))
        from purchase_gifts g where g.purchase_id = ${purchases}.id)`.mapWith((value) => given.parse(value)),
      is_givable: isGivable(sql`${purchases}`, sql`${products}`),
      received: sql`(
        select jsonb_build_object('from', g.sender_name, 'note', g.note, 'is_over', not ${isEntitled(sql`${purchases}`)})
        from purchase_gifts g where g.purchase_id = ${purchases}.gift_of)`.mapWith((value) =>
        received.parse(value),
      ),
      has_mismatch: sql<boolean>`${checkouts.paid_total} is not null`,
      can_ask: canAsk,
      right: refundRight(sql`${purchases}`, whenDeclared),
      waits_for: sql<WaitingReason | null>`case when ${canAsk} then ${waitingReason(sql`${purchases}`, whenDeclared)} end`,
      ended_right: endedLately.mapWith((value) => endedRightFields.parse(value)),
      other_order: sql<number | null>`case when ${canAsk} then ${otherOrder(sql`${purchases}`)} end`,
      refund_is_of_paper: coversPaperAlone(sql`${purchases}`, whenDeclared),
      can_take_back: sql<boolean>`(${isFreeOrder(sql`${purchases}`)} and ${isBeforeRelease(sql`${purchases}`, sql`now()`)})`,
      is_going_back: sql<boolean>`(${checkouts.payment_intent} is not null and is_completed(${purchases.status})
        and ${isAllAskedBack(sql`${purchases}`)})`,
      // The first column tells a row from none.
      withdrawal: {
        declared_at: withdrawals.declared_at,
        waits_for: withdrawals.waits_for,
        decision: withdrawals.decision,
        refusal: withdrawals.refusal,
      },
      product: {
        id: products.id,
        name: products.name,
        format: products.format,
        is_digital: products.is_digital,
        download_url: sql<string | null>`case when ${isReleased} then ${products.download_url} end`,
        release: pendingRelease,
        files: sql`(
          select coalesce(jsonb_agg(jsonb_build_object('product_id', files.product_id, 'title', files.title,
            'file_format', files.file_format, 'file_size', files.file_size, 'edition', files.edition, 'is_lost', files.is_lost) order by files.nth), '[]')
          from ${newestFiles} files)`.mapWith((value) => purchasedFiles.parse(value)),
      },
      shipment: shipmentColumns,
      // The first column tells a row from none.
      shipping: { amount: shipping_charges.amount, country: shipping_charges.country },
      discount_code: discount_codes.code,
    })
    .from(purchases)
    .innerJoin(products, eq(products.id, purchases.product_id))
    .leftJoin(checkouts, eq(checkouts.purchase_id, purchases.id))
    .leftJoin(withdrawals, eq(withdrawals.purchase_id, purchases.id))
    .leftJoin(shipments, eq(shipments.purchase_id, purchases.id))
    .leftJoin(shipping_charges, eq(shipping_charges.purchase_id, purchases.id))
    .leftJoin(discount_uses, eq(discount_uses.purchase_id, purchases.id))
    .leftJoin(discount_codes, eq(discount_codes.id, discount_uses.code_id))
}

type PurchaseRow = Awaited<ReturnType<typeof selectPurchases>>[number]

/** The address of an outside file stays on the server. */
function toPurchase(result: PurchaseRow): Purchase {
  const { product, created_at, shipment, withdrawal, place: _place, can_ask, right: current, ...row } = result
  const { amount, refunded, taken_by_bank, shipping, waits_for, ended_right, refund_is_of_paper, ...rest } =
    row
  // The right may have ended since.
  const right = withdrawal ? (current ?? 'request') : current
  const refund_right = can_ask ? right : null
  const hasFile = product.files.length > 0 || product.download_url !== null
  return {
    ...rest,
    is_refundable: refund_right !== null,
    refund_right,
    ended_right: refund_right === null ? ended_right : null,
    refund_is_of_paper: right === 'law' && refund_is_of_paper,
    refund_waits_for: refund_right && !isLookedAt(withdrawal) ? waits_for : null,
    amount: fromCents(amount),
    refunded: fromCents(refunded),
    taken_by_bank: fromCents(taken_by_bank),
    shipping: shipping && { ...shipping, amount: fromCents(shipping.amount) },
    created_at: created_at.toISOString(),
    shipment: shipment && toShipment(shipment),
    withdrawal: withdrawal && toWithdrawal(withdrawal, row, right ?? 'request'),
    product: { ...product, download_url: hasFile ? `/api/purchases/${row.id}/download` : null },
  }
}

const pageSize = 50

const canceledShown = '7 days'

export async function listOwnPurchases(
  db: Db,
  user_id: string,
  { after, gives }: OwnPurchasesRequest,
): Promise<OwnPurchases> {
  const isFresh = sql`${purchases.created_at} > now() - ${canceledShown}::interval and not exists (
    select from purchases later where later.user_id = ${purchases.user_id}
      and later.product_id = ${purchases.product_id} and later.created_at > ${purchases.created_at})`
  const place = readCursor(after, momentKey)
  const isAfter =
    place && sql`(${purchases.created_at}, ${purchases.id}) < (${place[0]}::timestamptz, ${place[1]}::uuid)`
  const isShown = gives
    ? givesProduct(gives)
    : or(ne(purchases.status, 'canceled'), and(isFresh, eq(purchases.is_given, false)))
  const [rows, totals] = await Promise.all([
    selectPurchases(db)
      .where(and(eq(purchases.user_id, user_id), isShown, isAfter))
      .orderBy(desc(purchases.created_at), desc(purchases.id))
      .limit(pageSize + 1),
    countOwn(db, user_id),
  ])
  return { ...toPage(rows, pageSize, { item: toPurchase, key: (row) => [row.place, row.id] }), totals }
}

function givesProduct(product_id: string): SQL {
  return sql`${isEntitled(sql`${purchases}`)} and (
    ${purchases.product_id} = ${product_id}
    or ${products.format} = 'bundle' and exists (
      select from bundle_items i where i.bundle_id = ${purchases.product_id} and i.product_id = ${product_id}))`
}

async function countOwn(db: Db, user_id: string): Promise<OwnPurchases['totals']> {
  const digital = sql<number>`count(*) filter (where ${products.is_digital})`
  const isOver = sql`${purchases.gift_of} is not null and not ${isEntitled(sql`${purchases}`)}`
  const [counts] = await db
    .select({ purchases: sql<number>`count(*)`, digital })
    .from(purchases)
    .innerJoin(products, eq(products.id, purchases.product_id))
    .where(and(eq(purchases.user_id, user_id), ne(purchases.status, 'canceled'), sql`not (${isOver})`))
  return counts ?? { purchases: 0, digital: 0 }
}

type WithdrawalRow = NonNullable<PurchaseRow['withdrawal']>
type Payment = Pick<Purchase, 'status' | 'is_going_back'>

function toWithdrawal(
  { decision, declared_at, ...row }: WithdrawalRow,
  payment: Payment,
  right: RefundRight,
): Withdrawal {
  const state = withdrawalState({ decision, waits_for: row.waits_for }, payment)
  const refusal = state === 'refused' ? row.refusal : null
  return { declared_at: declared_at.toISOString(), state, waits_for: row.waits_for, refusal, right }
}

/** The author has looked at it, and its money did not arrive: it need not wait again. */
const isLookedAt = (withdrawal: WithdrawalRow | null) =>
  withdrawal !== null && withdrawal.waits_for !== null && withdrawal.waits_for !== 'downloaded'

function withdrawalState(
  { decision, waits_for }: Pick<WithdrawalRow, 'decision' | 'waits_for'>,
  { status, is_going_back }: Payment,
) {
  if (status === 'refunded') return 'given'
  if (is_going_back) return 'on_its_way'
  if (decision === 'refused') return 'refused'
  if (decision === null) return 'waiting'
  return waits_for === 'downloaded' && status === 'partially_refunded' ? 'partly' : 'unpaid'
}

export type Walk = {
  after: readonly [at: string, id: string] | undefined
  way: 'asc' | 'desc'
  limit: number
  without?: number | undefined
}

type Walker = (isOne: SQL) => SQL

/** Users and products are looked up once for all pages; each way of finding ends after a page. */
export async function searchOrders(
  db: Db,
  { q, ...filters }: Omit<OrderListRequest, 'after'>,
  timeZone: string,
): Promise<(walk: Walk) => SQL> {
  const narrowed = narrowing(filters, timeZone)
  const find = q ? await waysToFind(db, q) : (walk: Walker) => [walk(sql`true`)]
  return ({ after, way, limit, without }) => {
    const [direction, side] = way === 'desc' ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`]
    const isAfter = after
      ? sql`(b.created_at, b.id) ${side} (${after[0]}::timestamptz, ${after[1]}::uuid)`
      : sql`true`
    const isOther = without === undefined ? sql`true` : sql`b.number <> ${without}`
    const inOrder = sql`order by b.created_at ${direction}, b.id ${direction} limit ${limit}`
    const match = find(
      (isOne) => sql`
        (select b.* from purchases b where ${isOne} and ${narrowed} and ${isOther} and ${isAfter} ${inOrder})`,
    )
    return sql`select * from (${sql.join(match, sql` union `)}) b ${inOrder}`
  }
}

function narrowing(
  { status, format, user_id, from, to }: Omit<OrderListRequest, 'q' | 'after'>,
  timeZone: string,
): SQL {
  const all = [
    status && sql`b.status = ${status}`,
    format && sql`b.product_id in (select id from products where format = ${format})`,
    user_id && sql`b.user_id = ${user_id}`,
    from && sql`b.created_at >= ${midnight(from, timeZone)}`,
    to && sql`b.created_at < ${midnight(to, timeZone, 1)}`,
  ].filter((part) => part !== undefined)
  return all.length > 0 ? sql.join(all, sql` and `) : sql`true`
}

async function waysToFind(db: Db, q: string): Promise<(walk: Walker) => SQL[]> {
  const number = parseOrderNumber(q)
  const isOrder = number !== undefined && sql`b.number = ${number}`
  // Nothing else is written with "#".
  if (isOrder && q.includes('#')) return (walk) => [walk(isOrder)]
  const [products, buyers] = await Promise.all([
    db
      .select({ id: productTable.id })
      .from(productTable)
      .where(sql`searchable(${productTable.name}) like searchable(${containing(q)})`),
    findUsers(db, q),
  ])
  const productIds = products.map(({ id }) => id)
  const range = idRange(q)
  return (walk) => {
    const each = (column: SQL, ids: string[]) => sql`
      select x.* from unnest(${sql.param(ids)}::uuid[]) value
      cross join lateral ${walk(sql`${column} = value`)} x`
    const isOfBuyer = sql`exists (select from profiles p where p.user_id = b.user_id and ${isFitting(q)})`
    const byBuyer = buyers ? each(sql`b.user_id`, buyers) : walk(isOfBuyer)
    const isOfGuest = sql`b.user_id is null and b.id in (
      select purchase_id from guest_checkouts where email ilike ${containing(q)})`
    const parcel = isAddressedTo(q)
    const byParcel = parcel && walk(sql`b.id in (select s.purchase_id from shipments s where ${parcel})`)
    const byPayer = walk(sql`b.id in (select c.purchase_id from checkouts c where ${isPaidBy(q)})`)
    const byId = range && walk(sql`b.id between ${range[0]} and ${range[1]}`)
    const byNumber = isOrder && walk(isOrder)
    const others = [byParcel, byId, byNumber].filter((way) => way !== undefined && way !== false)
    return [each(sql`b.product_id`, productIds), byBuyer, byPayer, walk(isOfGuest), ...others]
  }
}

function idRange(q: string): [string, string] | undefined {
  const digits = q.trim().toLowerCase().replaceAll('-', '')
  if (!/^[0-9a-f]{6,32}$/.test(digits)) return undefined
  const whole = (filler: string) =>
    digits.padEnd(32, filler).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  return [whole('0'), whole('f')]
}

export async function listOrders(
  { db, settings }: CommerceShop,
  { after, ...filters }: OrderListRequest,
): Promise<OrderList> {
  const place = readCursor(after, momentKey)
  const without = parseOrderNumber(filters.q ?? '')
  const { time_zone } = settings.get().shop
  const search = await searchOrders(db, filters, time_zone)
  const [orders, numbered, shown] = await Promise.all([
    readOrders(db, search({ after: place, way: 'desc', limit: pageSize + 1, without })),
    place || without === undefined ? [] : findNumbered(without),
    sumOrders(db, search({ after: undefined, way: 'desc', limit: maxCounted + 1 })),
  ])
  const page = toPage([...numbered, ...orders], pageSize, {
    item: toOrder,
    key: (row) => [row.place, row.id],
  })
  return { ...page, shown }

  async function findNumbered(number: number) {
    const exact = await searchOrders(db, { ...filters, q: formatOrderNumber(number) }, time_zone)
    return readOrders(db, exact({ after: undefined, way: 'desc', limit: 1 }))
  }
}

/** Rows that are read in milliseconds. */
const maxCounted = 1_000

function sumOrders(db: Db, orders: SQL): Promise<OrderList['shown']> {
  const query = sql`
    select least(count(*), ${maxCounted})::int as count, count(*) > ${maxCounted} as "isMore",
      case when count(*) <= ${maxCounted} and count(distinct currency) = 1
        then coalesce(sum(net_amount(status, amount, refunded)) filter (where not ${isShownAsTest(sql`b`)}), 0) end as earned
    from (${orders}) b`
  return queryOne(db, orderList.shape.shown, query)
}

function readOrders(db: Db, ids: SQL) {
  return selectOrders(db)
    .where(sql`${purchases.id} in (select id from (${ids}) found)`)
    .orderBy(desc(purchases.created_at), desc(purchases.id))
}

export function selectOrders(db: Db | Transaction) {
  return db
    .select({
      id: purchases.id,
      number: purchases.number,
      amount: purchases.amount,
      refunded: purchases.refunded,
      currency: purchases.currency,
      status: purchases.status,
      is_test: isShownAsTest(sql`${purchases}`),
      is_given: purchases.is_given,
      is_received: sql<boolean>`${purchases.gift_of} is not null`,
      code: discount_codes.code,
      open_withdrawal: sql<RefundRight | null>`(
        select coalesce(${refundRight(sql`${purchases}`, sql`w.declared_at`)}, 'request') from withdrawals w
        where w.purchase_id = ${purchases.id} and w.decided_at is null and is_completed(${purchases.status})
          and not ${isAllAskedBack(sql`${purchases}`)})`,
      created_at: purchases.created_at,
      release_on: sql<string | null>`${pendingRelease} ->> 'on'`,
      /** Text, as a Date would lose the microseconds. */
      place: sql<string>`${purchases.created_at}::text`,
      user_id: purchases.user_id,
      email: buyerEmail,
      display_name: sql<string | null>`buyer_name(${purchases.id})`,
      product: {
        id: products.id,
        name: products.name,
        format: products.format,
        is_one_of_several: sql<boolean>`exists (
          select from products other where other.format = ${products.format} and other.id <> ${products.id})`,
      },
    })
    .from(purchases)
    .innerJoin(products, eq(products.id, purchases.product_id))
    .leftJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .leftJoin(guest_checkouts, eq(guest_checkouts.purchase_id, purchases.id))
    .leftJoin(discount_uses, eq(discount_uses.purchase_id, purchases.id))
    .leftJoin(discount_codes, eq(discount_codes.id, discount_uses.code_id))
}

type OrderRow = Awaited<ReturnType<typeof selectOrders>>[number]

export function toOrder({ created_at, place: _place, ...row }: OrderRow): Order {
  const amounts = { amount: fromCents(row.amount), refunded: fromCents(row.refunded) }
  return { ...row, ...amounts, created_at: created_at.toISOString() }
}
