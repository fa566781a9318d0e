// The checkout that a buyer has already: by the key of the request, of the same product, or of a guest's proof.
import { and, desc, eq, isNull, ne, sql } from 'drizzle-orm'
import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '#platform/db/client.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import type { Offer } from '#domains/orders/discounts.ts'
import {
  discount_codes,
  discount_uses,
  purchase_access,
  purchases,
  shopCurrency,
  shipping_charges,
} from '#tables/orders.ts'
import { isOnSale, pendingRelease, ships } from '#domains/catalog/product-sql.ts'
import { products } from '#tables/catalog.ts'
import type { BuyerIntent, Intent } from '#domains/orders/purchases.ts'
import { findCharge, isSameCountry, type Charge } from '#domains/orders/shipping.ts'
import { checkouts } from '#tables/payments.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

export type ExistingOrder = {
  id: string
  session_id: string | null
  attempt: number
  isNew: boolean
  /** A checkout of another intent may be replaced, this intent's may not. */
  isOwnKey: boolean
  isOutdated: boolean
  charge: Charge | null
}

export async function findByKey(
  tx: Transaction,
  { user_id, product_id, key, code, seller = 'author', ...destination }: Intent,
): Promise<ExistingOrder | undefined> {
  if (!key) return undefined
  const isOfKey = and(eq(purchases.user_id, user_id), eq(purchases.idempotency_key, key))
  const [row] = await selectCheckouts(tx).where(isOfKey)
  const isSame =
    row?.product_id === product_id &&
    row.seller === seller &&
    row.code_used === (code ?? null) &&
    isSameCountry(row.charge, destination)
  if (row && !isSame) throw orderProblem('purchases.key_reused')
  return row && { ...row, isNew: false, isOwnKey: true, isOutdated: false }
}

type UserProduct = { user_id: string; product_id: string; is_live: boolean }

export async function findOpen(tx: Transaction, { user_id, product_id, is_live }: UserProduct) {
  const isSameProduct = and(eq(purchases.user_id, user_id), eq(purchases.product_id, product_id))
  const isOpen = and(eq(purchases.status, 'pending'), isNull(checkouts.held_reason))
  const [row] = await selectCheckouts(tx)
    .where(and(isSameProduct, isOpen, eq(checkouts.is_live, is_live)))
    .orderBy(desc(purchases.created_at))
    .limit(1)
  return row
}

/** Finds a paid one, too, and one with a payment that the author has to decide on. */
export async function findOfProof(
  tx: Transaction,
  { proof_hash, product_id }: { proof_hash: Buffer; product_id: string },
) {
  const isOfProof = sql`${purchases.id} in (
    select purchase_id from ${purchase_access} where hash = ${proof_hash} and kind = 'browser')`
  const [row] = await selectCheckouts(tx).where(and(isOfProof, ne(purchases.status, 'canceled')))
  if (row && row.product_id !== product_id) throw orderProblem('purchases.key_reused')
  return row
}

type CheckoutRow = Awaited<ReturnType<typeof selectCheckouts>>[number]

export function compareOpen(
  services: CommerceShop,
  row: CheckoutRow,
  { code, email, seller, ...destination }: BuyerIntent & { email: string },
  offer: Offer | undefined,
): ExistingOrder {
  const country = destination.country ?? row.charge?.country ?? undefined
  const charge = row.ships ? findCharge(services, { ...destination, country }) : undefined
  const price = (offer?.price ?? row.price) + (charge?.amount ?? 0n)
  const isSame =
    row.is_in_currency &&
    row.seller === seller &&
    row.amount === price &&
    row.code_used === (code ?? null) &&
    (row.guest_email ?? email) === email &&
    isDeepStrictEqual(row.charge, charge ?? null)
  // Link sells no pre-orders.
  const isSellable = row.is_on_sale && (row.seller !== 'stripe' || row.release === null)
  return { ...row, isNew: false, isOwnKey: false, isOutdated: !isSame || !isSellable }
}

function selectCheckouts(tx: Transaction) {
  return tx
    .select({
      id: purchases.id,
      status: purchases.status,
      seller: purchases.seller,
      held_reason: checkouts.held_reason,
      session_id: checkouts.session_id,
      attempt: checkouts.attempt,
      product_id: purchases.product_id,
      amount: purchases.amount,
      price: products.price,
      is_in_currency: sql<boolean>`${purchases.currency} = ${shopCurrency}`,
      is_on_sale: isOnSale,
      release: pendingRelease,
      code_used: discount_codes.code,
      guest_email: sql<string | null>`(
        select email from guest_checkouts where purchase_id = ${purchases.id})`,
      ships,
      // The amount is first: it tells a row from none.
      charge: { amount: shipping_charges.amount, country: shipping_charges.country },
    })
    .from(purchases)
    .innerJoin(checkouts, eq(checkouts.purchase_id, purchases.id))
    .innerJoin(products, eq(products.id, purchases.product_id))
    .leftJoin(shipping_charges, eq(shipping_charges.purchase_id, purchases.id))
    .leftJoin(discount_uses, eq(discount_uses.purchase_id, purchases.id))
    .leftJoin(discount_codes, eq(discount_codes.id, discount_uses.code_id))
}
