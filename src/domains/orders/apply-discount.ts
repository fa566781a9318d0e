// What a code takes off a purchase, and the count of its uses, which never exceeds its limit.
import { and, desc, eq, ne, not, or, sql, type SQL, isNotNull, isNull } from 'drizzle-orm'
import { z } from 'zod'
import { fromCents, type Cents } from '#contract/money.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { cents, queryFirst } from '#platform/db/query.ts'
import { catalogProblem } from '#domains/catalog/problem.ts'
import { orderProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import { isChargeable } from '#contract/payments/charge-limits.ts'
import { ships } from '#domains/catalog/product-columns.ts'
import { takenOff } from '#contract/orders/discounted-price.ts'
import type { Discount } from '#contract/orders/discounts.ts'
import { discount_codes, discount_uses } from '#tables/discounts.ts'
import type { UsedCode } from '#platform/stripe/payments.ts'
import { products } from '#tables/products.ts'

export const isValid = sql<boolean>`(${discount_codes.ended_at} is null
  and (${discount_codes.ends_on} is null or ${discount_codes.ends_on} >= shop_day(now())))`
export const isUsedUp = sql<boolean>`coalesce(${discount_codes.uses} >= ${discount_codes.max_uses}, false)`

/** `wanted` is a condition on purchases. A payment under way may still use a code that has ended. */
export const isUsedByOpen = (wanted: SQL) => sql<boolean>`exists (
  select from discount_uses inner join purchases on purchases.id = discount_uses.purchase_id
  where discount_uses.code_id = ${discount_codes.id} and purchases.status = 'pending' and ${wanted})`

const isPaused = sql<boolean>`(${discount_codes.paused_at} is not null)`

export async function getDiscount(db: Db, code: string): Promise<Discount> {
  const { is_used_up, is_paused, id: _id, ...discount } = await getValidCode(db, code)
  if (is_paused) throw orderProblem('discounts.paused')
  if (is_used_up) throw orderProblem('discounts.used_up')
  return { ...discount, amount_off: fromCents(discount.amount_off) }
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
  { payments, settings }: Services,
  { code, product_id, shipping, open_id }: Asked,
): Promise<Offer> {
  const found = await getValidCode(tx, code, open_id)
  if (found.is_paused && !open_id) throw orderProblem('discounts.paused')
  if (found.product_id && found.product_id !== product_id) throw orderProblem('discounts.other_product')
  const isSent = shipping > 0n ? ships : sql`false`
  const priceOf = sql`select price, ${isSent} as ships from products where id = ${product_id} for share`
  const product = await queryFirst(tx, z.object({ price: cents, ships: z.boolean() }), priceOf)
  if (!product) throw catalogProblem('products.not_found')
  const { currency } = settings.get().shop
  const discount = takenOff(product.price, found, currency)
  const price = product.price - discount
  const total = product.ships ? price + shipping : price
  if (payments.current() && !isChargeable(total, currency)) throw orderProblem('discounts.too_small')
  return { code_id: found.id, price, discount, total }
}

type Asked = { code: string; product_id: string; shipping: Cents; open_id?: string | undefined }

type UsingPurchase = { purchase_id: string; is_test: boolean }

export async function countUse(tx: Transaction, purchase: UsingPurchase, { code_id, discount }: Offer) {
  const isLeft = and(eq(discount_codes.id, code_id), isValid, sql`not ${isUsedUp}`, not(isPaused))
  if (!(await insertUse(tx, purchase, { code_id, discount }, isLeft))) throw orderProblem('discounts.used_up')
}

async function insertUse(
  tx: Transaction,
  { purchase_id, is_test }: UsingPurchase,
  used: { code_id: string; discount: Cents },
  isAllowed: SQL | undefined,
) {
  const is_counted = !is_test
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

/** A test order's use never counts. Call lockUsedCode first. */
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
  const [found] = await tx
    .select({ id: discount_codes.id })
    .from(discount_codes)
    .where(or(isSame, eq(discount_codes.code, code)))
    .orderBy(desc(isSame), isNotNull(discount_codes.ended_at), desc(discount_codes.created_at))
    .limit(1)
  if (found) await insertUse(tx, purchase, { code_id: found.id, discount }, eq(discount_codes.id, found.id))
}
