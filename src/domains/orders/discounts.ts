// The discount that a code gives on a purchase, and the count of its uses, which never exceeds its limit.
import { and, desc, eq, gt, isNotNull, isNull, lt, ne, not, or, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { fromCents, type Cents, toCents } from '#contract/money.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { cents, queryFirst } from '#platform/db/query.ts'
import { catalogProblem } from '#domains/catalog/shop.ts'
import { findFormerPrices } from './former-prices.ts'
import { orderProblem } from './problem.ts'
import { updatePurchase } from './purchase-changes.ts'
import { isChargeable } from '#contract/stripe.ts'
import { ships } from '#domains/catalog/product-sql.ts'
import { requirePayable } from '#domains/catalog/sale-mode.ts'
import { takenOff } from '#contract/orders/prices.ts'
import {
  type Discount,
  discountStates,
  maxOpenDiscounts,
  type AdminDiscount,
  type NewDiscount,
} from '#contract/orders/discounts.ts'
import { discount_codes, discount_uses } from '#tables/orders.ts'
import type { UsedCode } from '#platform/stripe/payments.ts'
import { products } from '#tables/catalog.ts'
import { v7 as uuidv7 } from 'uuid'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

export const isValid = sql<boolean>`(${discount_codes.ended_at} is null
  and (${discount_codes.ends_on} is null or ${discount_codes.ends_on} >= shop_day(now())))`
const isUsedUp = sql<boolean>`coalesce(${discount_codes.uses} >= ${discount_codes.max_uses}, false)`

/** `condition` narrows the purchases. A payment under way may still use a code that has ended. */
export const isUsedByOpen = (condition: SQL) => sql<boolean>`exists (
  select from discount_uses inner join purchases on purchases.id = discount_uses.purchase_id
  where discount_uses.code_id = ${discount_codes.id} and purchases.status = 'pending' and ${condition})`

const isPaused = sql<boolean>`(${discount_codes.paused_at} is not null)`

export async function getDiscount({ db, settings }: CommerceShop, code: string): Promise<Discount> {
  const { is_used_up, is_paused, id, ...discount } = await getValidCode(db, code)
  if (is_paused) throw orderProblem('discounts.paused')
  if (is_used_up) throw orderProblem('discounts.used_up')
  const former = await findFormerPrices(db, id, settings.get().shop.currency)
  const former_prices = former && Object.fromEntries([...former].map(([of, price]) => [of, fromCents(price)]))
  return { ...discount, amount_off: fromCents(discount.amount_off), former_prices }
}

async function getValidCode(db: Db | Transaction, code: string, open_id?: string) {
  const isOfOpen = open_id ? isUsedByOpen(sql`purchases.id = ${open_id}`) : undefined
  const { id, code: own, percent, amount_off, product_id } = discount_codes
  const terms = { id, code: own, percent, amount_off, product_id }
  const [row] = await db
    .select({ ...terms, is_used_up: isUsedUp, is_paused: isPaused })
    .from(discount_codes)
    .where(and(eq(discount_codes.code, code), or(isValid, isOfOpen)))
    .orderBy(desc(isValid))
    .limit(1)
  if (!row) throw orderProblem('discounts.not_valid')
  return row
}

export type Offer = { code_id: string; price: Cents; discount: Cents; total: Cents }

/** `countUse` decides whether a use is left. The row of the product is locked, so its price stays until the commit. */
export async function findOffer(
  tx: Transaction,
  { payments, settings }: CommerceShop,
  { code, product_id, shipping, open_id }: CodeRequest,
): Promise<Offer> {
  const validCode = await getValidCode(tx, code, open_id)
  if (validCode.is_paused && !open_id) throw orderProblem('discounts.paused')
  if (validCode.product_id && validCode.product_id !== product_id)
    throw orderProblem('discounts.other_product')
  const isSent = shipping > 0n ? ships : sql`false`
  const priceOf = sql`select price, ${isSent} as ships from products where id = ${product_id} for share`
  const product = await queryFirst(tx, z.object({ price: cents, ships: z.boolean() }), priceOf)
  if (!product) throw catalogProblem('products.not_found')
  const { currency } = settings.get().shop
  const discount = takenOff(product.price, validCode, currency)
  const price = product.price - discount
  const total = product.ships ? price + shipping : price
  if (payments.current() && !isChargeable(total, currency)) throw orderProblem('discounts.too_small')
  return { code_id: validCode.id, price, discount, total }
}

type CodeRequest = { code: string; product_id: string; shipping: Cents; open_id?: string | undefined }

/** `is_counted`: not of a test payment. */
type UsingPurchase = { purchase_id: string; is_counted: boolean }

/** The purchase has the code already. */
export async function countUse(tx: Transaction, purchase: UsingPurchase, { code_id, discount }: Offer) {
  const isLeft = and(eq(discount_codes.id, code_id), isValid, sql`not ${isUsedUp}`, not(isPaused))
  if (!(await insertUse(tx, purchase, { code_id, discount }, isLeft))) throw orderProblem('discounts.used_up')
}

async function insertUse(
  tx: Transaction,
  { purchase_id, is_counted }: UsingPurchase,
  used: { code_id: string; discount: Cents },
  isAllowed: SQL | undefined,
) {
  const { rowCount } = await tx
    .update(discount_codes)
    .set({ uses: sql`${discount_codes.uses} + ${is_counted ? 1 : 0}` })
    .where(isAllowed)
  if (!rowCount) return false
  await tx.insert(discount_uses).values({ purchase_id, is_counted, ...used })
  return true
}

/** Call it before copies are taken: every transaction locks the code's row before the rows of the copies. */
export async function lockUsedCode(tx: Transaction, purchase_id: string) {
  await tx
    .select({ id: discount_codes.id })
    .from(discount_codes)
    .innerJoin(discount_uses, eq(discount_uses.code_id, discount_codes.id))
    .where(eq(discount_uses.purchase_id, purchase_id))
    .for('no key update', { of: discount_codes })
}

/** A test payment's use never counts. Call lockUsedCode first. */
export async function setUseCounted(tx: Transaction, purchase_id: string, is_counted: boolean) {
  const isChanged = and(eq(discount_uses.purchase_id, purchase_id), ne(discount_uses.is_counted, is_counted))
  const isTest = sql`exists (select from purchases where id = ${purchase_id} and is_test)`
  const [changed] = await tx
    .update(discount_uses)
    .set({ is_counted })
    .where(and(isChanged, not(isTest)))
    .returning({ code_id: discount_uses.code_id })
  if (!changed) return
  await tx
    .update(discount_codes)
    .set({ uses: sql`${discount_codes.uses} + ${is_counted ? 1 : -1}` })
    .where(eq(discount_codes.id, changed.code_id))
}

/** Stripe never sees the uses of codes that leave nothing to pay. */
export async function pauseFreeCodes(db: Db, now: Date) {
  const isFree = sql`exists (select from ${products} p where p.price <= ${discount_codes.amount_off}
    and p.archived_at is null and (${discount_codes.product_id} is null or p.id = ${discount_codes.product_id}))`
  await db
    .update(discount_codes)
    .set({ paused_at: now })
    .where(and(isNull(discount_codes.ended_at), or(eq(discount_codes.percent, 100), isFree)))
}

/** Counts also beyond the limit, as it was paid. Does nothing where the backup does not have the code. */
export async function restoreUse(tx: Transaction, purchase: UsingPurchase, used: UsedCode) {
  const { code, code_id, discount } = used
  const isSame = sql<boolean>`${discount_codes.id}::text = ${code_id}`
  const [row] = await tx
    .select({ id: discount_codes.id })
    .from(discount_codes)
    .where(or(isSame, eq(discount_codes.code, code)))
    .orderBy(desc(isSame), isNotNull(discount_codes.ended_at), desc(discount_codes.created_at))
    .limit(1)
  if (!row) return
  await updatePurchase(tx, purchase.purchase_id, { code_id: row.id })
  await insertUse(tx, purchase, { code_id: row.id, discount }, eq(discount_codes.id, row.id))
}

const state =
  sql`case when ${discount_codes.ended_at} is not null then 'ended' when not ${isValid} then 'expired'
  when ${discount_codes.paused_at} is not null then 'paused' when ${isUsedUp} then 'used_up' else 'active' end`.mapWith(
    (value) => discountStates.find((known) => known === value) ?? 'ended',
  )

export async function listDiscounts(db: Db): Promise<AdminDiscount[]> {
  const { id, code, percent, amount_off, product_id, max_uses, uses, ends_on, created_at } = discount_codes
  const terms = { id, code, percent, amount_off, product_id, max_uses, uses, ends_on, created_at }
  const rows = await db
    .select({ ...terms, product_name: products.name, state })
    .from(discount_codes)
    .leftJoin(products, eq(products.id, discount_codes.product_id))
    .orderBy(isNotNull(discount_codes.ended_at), desc(created_at), desc(id))
    .limit(maxOpenDiscounts)
  const placeOf = ({ created_at: made, id: own }: AdminDiscount) => made + own
  return rows.map(toAdminDiscount).toSorted((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1))
}

type DiscountRow = Omit<AdminDiscount, 'created_at' | 'amount_off'> & {
  created_at: Date
  amount_off: Cents | null
}

function toAdminDiscount({ created_at, ...row }: DiscountRow): AdminDiscount {
  return { ...row, amount_off: fromCents(row.amount_off), created_at: created_at.toISOString() }
}

/** A code that leaves less than half of a product's present price. Throws discounts.not_found. */
export async function isLargeDiscount(db: Db, code: DiscountTerms | { id: string }): Promise<boolean> {
  const { percent, amount_off, product_id } = 'id' in code ? await getTerms(db, code.id) : toTerms(code)
  if (amount_off === null) return percent !== null && percent > 50
  const isMeant = product_id ? eq(products.id, product_id) : undefined
  const isMoreThanHalf = and(gt(products.price, 0n), lt(products.price, 2n * amount_off))
  return (await db.$count(products, and(isNull(products.archived_at), isMeant, isMoreThanHalf))) > 0
}

type DiscountTerms = Pick<NewDiscount, 'percent' | 'amount_off' | 'product_id'>

function toTerms({ percent, amount_off, product_id }: DiscountTerms) {
  return {
    percent: percent ?? null,
    amount_off: amount_off === undefined ? null : toCents(amount_off),
    product_id: product_id ?? null,
  }
}

async function getTerms(db: Db, id: string) {
  const { percent, amount_off, product_id } = discount_codes
  const [row] = await db
    .select({ percent, amount_off, product_id })
    .from(discount_codes)
    .where(eq(discount_codes.id, id))
  if (!row) throw orderProblem('discounts.not_found')
  return row
}

export async function addDiscount(
  { db, settings, clock }: CommerceShop,
  actor: Actor,
  newDiscount: NewDiscount,
) {
  const { code, product_id, amount_off } = newDiscount
  if (amount_off !== undefined)
    requirePayable('amount_off', toCents(amount_off), settings.get().shop.currency)
  await db.transaction(async (tx) => {
    const id = uuidv7()
    if (product_id && (await tx.$count(products, eq(products.id, product_id))) === 0)
      throw catalogProblem('products.not_found')
    if ((await tx.$count(discount_codes, isNull(discount_codes.ended_at))) >= maxOpenDiscounts)
      throw orderProblem('discounts.too_many')
    const { rowCount } = await tx
      .insert(discount_codes)
      .values({
        id,
        ...newDiscount,
        amount_off: amount_off === undefined ? null : toCents(amount_off),
        created_at: clock(),
      })
      .onConflictDoNothing()
    if (!rowCount)
      throw orderProblem('discounts.code_taken', { fields: { code: 'This code exists already.' } })
    const { code: _code, ...detail } = newDiscount
    await recordAuditEvent(tx, actor, { action: 'discounts.added', subject: code, subject_id: id, detail })
  })
}

export async function resumeDiscount({ db, clock }: CommerceShop, actor: Actor, id: string) {
  await db.transaction(async (tx) => {
    const [resumed] = await tx
      .update(discount_codes)
      .set({ paused_at: null, resumed_at: clock() })
      .where(and(eq(discount_codes.id, id), isNotNull(discount_codes.paused_at)))
      .returning({ subject: discount_codes.code })
    if (resumed)
      await recordAuditEvent(tx, actor, { action: 'discounts.resumed', ...resumed, subject_id: id })
    else await requireDiscount(tx, id)
  })
}

export async function endDiscount({ db, clock }: CommerceShop, actor: Actor, id: string) {
  await db.transaction(async (tx) => {
    const [ended] = await tx
      .update(discount_codes)
      .set({ ended_at: clock() })
      .where(and(eq(discount_codes.id, id), isNull(discount_codes.ended_at)))
      .returning({ subject: discount_codes.code, uses: discount_codes.uses })
    if (ended) {
      const { subject, uses } = ended
      const action = 'discounts.ended'
      await recordAuditEvent(tx, actor, { action, subject, subject_id: id, detail: { uses } })
    } else await requireDiscount(tx, id)
  })
}

async function requireDiscount(tx: Transaction, id: string) {
  if ((await tx.$count(discount_codes, eq(discount_codes.id, id))) === 0)
    throw orderProblem('discounts.not_found')
}

/** The amounts off of codes that can still be used, where they are not whole. */
export async function listFractionalCodes(db: Db | Transaction): Promise<{ code: string; amount: Cents }[]> {
  const { code, amount_off, ended_at } = discount_codes
  const rows = await db
    .select({ code, amount: amount_off })
    .from(discount_codes)
    .where(and(isNull(ended_at), sql`${amount_off} <> round(${amount_off})`))
    .orderBy(code)
  return rows.flatMap(({ code, amount }) => (amount === null ? [] : [{ code, amount }]))
}
