import { sql, type SQL, and, eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Transaction, Db } from '#platform/db/client.ts'
import { queryFirst } from '#platform/db/query.ts'
import { catalogProblem } from '#domains/catalog/problem.ts'
import type { Services } from '#platform/services.ts'
import { countUse, type Offer } from './apply-discount.ts'
import { isOnSale, isSoldOut, ships, deliveryGap } from '#domains/catalog/product-columns.ts'
import type { SaleMode } from '#contract/catalog/sale-mode.ts'
import { insertCharge, type Charge } from './charges.ts'
import { isCounted, takeCopies } from '#domains/catalog/stock.ts'
import type { PurchaseStatus } from '#contract/orders/purchases.ts'
import { currentRefundTerms } from '#contract/orders/refund-conditions.ts'
import type { BuyerIntent } from './purchases.ts'
import { isEntitled } from './entitlements.ts'
import { purchases } from '#tables/purchases.ts'

export type Terms = {
  mode: SaleMode
  offer: Offer | undefined
  charge: Charge | undefined
  /** Else nothing is inserted. */
  isModeCurrent?: SQL
}

type NewPurchase = { status: PurchaseStatus; terms: Terms; is_test?: boolean }

// Undefined also when this key bought before: that row is committed, as the insert waits for it.
export async function insertPurchase(
  tx: Transaction,
  services: Services,
  { user_id, product_id, key, shipping: shown }: BuyerIntent,
  { status, terms: { mode, offer, charge, isModeCurrent }, is_test = false }: NewPurchase,
): Promise<string | undefined> {
  const own = mode === 'free' ? sql`0::numeric` : sql`product.price`
  const price = offer ? sql`${sql.param(offer.price, purchases.amount)}::numeric` : own
  const amount = charge
    ? sql`${price} + case when product.ships then ${sql.param(charge.amount, purchases.amount)}::numeric else 0 end`
    : price
  const isAllowed = isModeCurrent ? sql`${isOnSale} and ${isModeCurrent}` : isOnSale
  const made = await insertRow(tx, { user_id, product_id, key, amount, status, is_test, isAllowed })
  if (!made) return undefined
  const shownPrice = { shown, isFinal: status === 'completed' }
  if (made.ships && charge)
    await insertCharge(tx, services, { purchase_id: made.id, charge, mode, ...shownPrice })
  if (offer) await countUse(tx, { purchase_id: made.id, is_test }, offer)
  await requireCopies(tx, made)
  return made.id
}

type NewRow = {
  user_id: string | null
  product_id: string
  key?: string | undefined
  amount: SQL
  status: PurchaseStatus
  is_test?: boolean
  is_given?: boolean
  gift_of?: string
  isAllowed: SQL
}

const insertedRow = z.object({
  id: z.string(),
  is_test: z.boolean(),
  is_counted: z.boolean(),
  is_sold_out: z.boolean(),
  ships: z.boolean(),
})

async function insertRow(
  tx: Transaction,
  { user_id, product_id, key, amount, status, is_test = false, is_given = false, gift_of, isAllowed }: NewRow,
): Promise<z.infer<typeof insertedRow> | undefined> {
  const query = sql`
    with product as (
      select id, price, ${isCounted} as is_counted, ${isSoldOut} as is_sold_out, ${ships} as ships
      from products where id = ${product_id} and ${isAllowed}),
    made as (
      insert into purchases (id, user_id, product_id, amount, status, refund_terms, is_test, is_given, gift_of,
        idempotency_key)
      select ${uuidv7()}::uuid, ${user_id}::uuid, product.id, ${amount}, ${status}, ${currentRefundTerms}, ${is_test}, ${is_given},
        ${gift_of ?? null}::uuid, ${key ?? null}
      from product
      on conflict (user_id, idempotency_key) do nothing
      returning id, is_test
    )
    select made.*, product.is_counted, product.is_sold_out, product.ships from made, product`
  return queryFirst(tx, insertedRow, query)
}

/** Copies may come back while takeCopies waits for the last one; a test order takes none. */
async function requireCopies(
  tx: Transaction,
  { id, is_test, is_counted, is_sold_out }: z.infer<typeof insertedRow>,
) {
  const isRefused = is_test ? is_sold_out : is_counted && !(await takeCopies(tx, id))
  if (isRefused) throw catalogProblem('stock.sold_out')
}

type Own = { user_id: string; product_id: string }

export async function givePurchase(tx: Transaction, own: Own): Promise<string> {
  const isAllowed = sql`${deliveryGap} is null`
  const made = await insertRow(tx, { ...own, amount: sql`0`, status: 'completed', is_given: true, isAllowed })
  if (!made) throw catalogProblem('products.not_found')
  await requireCopies(tx, made)
  return made.id
}

/** The recipient's, of a copy that was paid for and counted with the buyer's purchase. */
export async function insertReceived(
  tx: Transaction,
  received: Own & { is_test: boolean; gift_of: string },
): Promise<void> {
  const isAllowed = sql`true`
  const made = await insertRow(tx, { ...received, amount: sql`0`, status: 'completed', isAllowed })
  if (!made) throw catalogProblem('products.not_found')
}

export async function hasPurchase(db: Db | Transaction, { user_id, product_id }: Own): Promise<boolean> {
  const matches = and(
    eq(purchases.user_id, user_id),
    eq(purchases.product_id, product_id),
    isEntitled(sql`${purchases}`),
  )
  return (await db.$count(purchases, matches)) > 0
}
