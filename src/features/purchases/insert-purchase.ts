// The row of a purchase, with what belongs to it, and the copies that it takes.
import { sql, type SQL } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Transaction } from '#platform/db/client.ts'
import { queryFirst } from '#platform/db/query.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { countUse, type Offer } from '../discounts/apply-discount.ts'
import { isOnSale, isSoldOut, ships } from '../products/product-columns.ts'
import type { SaleMode } from '../products/contract/sale-mode.ts'
import { insertCharge } from '../shipping/charges.ts'
import type { ShippingCharge } from '../shipping/contract/shipments.ts'
import { isCounted, takeCopies } from '../stock/stock.ts'
import type { PurchaseStatus } from './contract/purchases.ts'
import { currentRefundTerms } from './contract/refund-conditions.ts'
import type { Intent } from './purchases.ts'

/** What an intent costs now: with its discount code, and for sending it. */
export type Terms = {
  mode: SaleMode
  offer: Offer | undefined
  charge: ShippingCharge | undefined
  /** Else nothing is inserted. */
  isStillSo?: SQL
}

type NewPurchase = { status: PurchaseStatus; terms: Terms; is_test?: boolean }

/**
 * The new row's id; undefined when the product is not for sale or cannot be delivered, or when this key has bought
 * before (the row then is committed: the insert waits for it).
 */
export async function insertPurchase(
  tx: Transaction,
  services: Pick<Services, 'settings'>,
  { user_id, product_id, key, shipping: shown }: Intent,
  { status, terms: { mode, offer, charge, isStillSo: isSo }, is_test = false }: NewPurchase,
): Promise<string | undefined> {
  const own = mode === 'free' ? sql`0::numeric` : sql`product.price`
  const price = offer ? sql`${offer.price}::numeric` : own
  const amount = charge
    ? sql`${price} + case when product.ships then ${charge.amount}::numeric else 0 end`
    : price
  const isAllowed = isSo ? sql`${isOnSale} and ${isSo}` : isOnSale
  const made = await insertRow(tx, { user_id, product_id, key, amount, status, is_test, isAllowed })
  if (!made) return undefined
  const told = { shown, isFinal: status === 'completed' }
  if (made.ships && charge) await insertCharge(tx, services, { purchase_id: made.id, charge, mode, ...told })
  if (offer) await countUse(tx, { purchase_id: made.id, is_test }, offer)
  await requireCopies(tx, made)
  return made.id
}

type NewRow = {
  user_id: string
  product_id: string
  key?: string | undefined
  /** Of columns of `product`. */
  amount: SQL
  status: PurchaseStatus
  is_test?: boolean
  is_given?: boolean
  /** For the row of products around it. */
  isAllowed: SQL
}

const insertedRow = z.object({
  id: z.string(),
  is_test: z.boolean(),
  is_counted: z.boolean(),
  is_sold_out: z.boolean(),
  ships: z.boolean(),
})

/** Undefined where the product is not allowed, or the key has bought before. It has no copies yet. */
export async function insertRow(
  tx: Transaction,
  { user_id, product_id, key, amount, status, is_test = false, is_given = false, isAllowed }: NewRow,
): Promise<z.infer<typeof insertedRow> | undefined> {
  const query = sql`
    with product as (
      select id, price, ${isCounted} as is_counted, ${isSoldOut} as is_sold_out, ${ships} as ships
      from products where id = ${product_id} and ${isAllowed}),
    made as (
      insert into purchases (id, user_id, product_id, amount, status, refund_terms, is_test, is_given, idempotency_key)
      select ${uuidv7()}::uuid, ${user_id}, product.id, ${amount}, ${status}, ${currentRefundTerms}, ${is_test}, ${is_given}, ${key ?? null}
      from product
      on conflict (user_id, idempotency_key) do nothing
      returning id, is_test
    )
    select made.*, product.is_counted, product.is_sold_out, product.ships from made, product`
  return queryFirst(tx, insertedRow, query)
}

/** Copies may come back while takeCopies waits for the last one; a test order takes none and does not wait. */
export async function requireCopies(
  tx: Transaction,
  { id, is_test, is_counted, is_sold_out }: z.infer<typeof insertedRow>,
): Promise<void> {
  const isRefused = is_test ? is_sold_out : is_counted && !(await takeCopies(tx, id))
  if (isRefused) throw new Problem('stock.sold_out')
}
