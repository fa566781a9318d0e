// The rows of a purchase: inserted with its price, its copies and its code, by whichever way it is bought.
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import { orderProblem } from './problem.ts'
import { isOnSale, isSoldOut, ships, deliveryGap } from '#domains/catalog/product-sql.ts'
import {
  isModeCurrent,
  keylessMode,
  cachedKeylessFacts,
  readKeylessFacts,
  type KeylessFacts,
} from '#domains/catalog/sale-mode.ts'
import type { Purchase } from '#contract/orders/purchases.ts'
import type { PurchaseStatus } from '#contract/orders/purchase-status.ts'
import { digitalSeller, sellerOf, type Seller } from '#contract/orders/seller.ts'
import { fromCents } from '#contract/money.ts'
import { purchases } from '#tables/orders.ts'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import { queryAll, queryFirst } from '#platform/db/query.ts'
import { catalogProblem } from '#domains/catalog/shop.ts'
import { countUse, type Offer, findOffer } from './discounts.ts'
import { type SaleMode, format, isSelling, release } from '#contract/catalog/products.ts'
import { insertCharge, type Charge, insertFirstAddress, findCharge } from './shipping.ts'
import { isCounted, takeFromStock } from '#domains/catalog/stock.ts'
import { type BuyerIntent, findBought, getPurchase, type Intent } from './purchases.ts'
import { isEntitled } from './entitlements.ts'
import { receiptJob } from './receipts.ts'
import { readShownBoxes, saveTickedBoxes, subscribeBuyer, type ShownBoxes } from './ticked-boxes.ts'
import { taken_copies } from '#tables/orders.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

type RestoredRow = typeof purchases.$inferInsert

/** Restores what the payment says after a restore: under its number, or the next one where another purchase has it. */
export async function restorePurchase(
  tx: Transaction,
  row: RestoredRow,
  number: number | undefined,
): Promise<void> {
  if (!number || !(await insertNumbered(tx, row, number))) await tx.insert(purchases).values(row)
}

async function insertNumbered(tx: Transaction, row: RestoredRow, number: number): Promise<boolean> {
  const { rowCount } = await tx
    .insert(purchases)
    .overridingSystemValue()
    .values({ ...row, number })
    .onConflictDoNothing({ target: purchases.number })
  const sequence = sql`pg_get_serial_sequence('purchases', 'number')`
  await tx.execute(
    sql`select setval(${sequence}, greatest(${number}, (select last_value from pg_sequences
      where schemaname || '.' || sequencename = ${sequence})))`,
  )
  return rowCount === 1
}

type Terms = {
  mode: SaleMode
  offer: Offer | undefined
  charge: Charge | undefined
  /** Nothing is inserted where it is false. */
  isModeCurrent?: SQL
}

/** `is_test`: paid with a test key. */
type NewPurchase = { status: PurchaseStatus; terms: Terms; is_test?: boolean; seller?: Seller }

// Undefined also when this key bought before: that row is committed, as the insert waits for it.
export async function insertPurchase(
  tx: Transaction,
  services: CommerceShop,
  { user_id, product_id, key, shipping: shown }: BuyerIntent,
  { status, terms: { mode, offer, charge, isModeCurrent }, is_test = false, seller = 'author' }: NewPurchase,
): Promise<string | undefined> {
  const own = mode === 'free' ? sql`0::numeric` : sql`product.price`
  const price = offer ? sql`${sql.param(offer.price, purchases.amount)}::numeric` : own
  const amount = charge
    ? sql`${price} + case when product.ships then ${sql.param(charge.amount, purchases.amount)}::numeric else 0 end`
    : price
  const isAllowed = isModeCurrent ? sql`${isOnSale} and ${isModeCurrent}` : isOnSale
  const isTried = is_test || mode === 'sample'
  const order = {
    user_id,
    product_id,
    key,
    amount,
    status,
    seller,
    is_test: isTried,
    code_id: offer?.code_id,
  }
  const row = await insertRow(tx, { ...order, isAllowed })
  if (!row) return undefined
  // The sample's orders take copies and uses of codes as sold ones do, so that an author can try that out.
  const is_counted = !row.is_test || mode === 'sample'
  const shownPrice = { shown, isFinal: status === 'completed' }
  if (row.ships && charge)
    await insertCharge(tx, services, { purchase_id: row.id, charge, mode, ...shownPrice })
  if (offer) await countUse(tx, { purchase_id: row.id, is_counted }, offer)
  await requireCopies(tx, row, is_counted)
  return row.id
}

type NewRow = {
  user_id: string | null
  product_id: string
  key?: string | undefined
  amount: SQL
  status: PurchaseStatus
  seller?: Seller
  /** An order of amount 0 is a real one all the same. */
  is_test?: boolean
  is_given?: boolean
  gift_of?: string
  code_id?: string | undefined
  isAllowed: SQL
}

const insertedRow = z.object({
  id: z.string(),
  is_test: z.boolean(),
  has_stock: z.boolean(),
  is_sold_out: z.boolean(),
  ships: z.boolean(),
})

/**
 * The row of the product is locked, so its price stays until the commit: whoever has changed it then finds the purchase. The
 * setup may be deleting it.
 */
async function insertRow(
  tx: Transaction,
  { user_id, product_id, key, amount, status, isAllowed, ...row }: NewRow,
): Promise<z.infer<typeof insertedRow> | undefined> {
  const { is_test = false, is_given = false, gift_of = null, code_id = null, seller = 'author' } = row
  const query = sql`
    with product as (
      select id, price, ${isCounted} as has_stock, ${isSoldOut} as is_sold_out, ${ships} as ships
      from products where id = ${product_id} and ${isAllowed} for key share of products),
    made as (
      insert into purchases (id, user_id, product_id, amount, status, seller, is_test, is_given, gift_of,
        code_id, idempotency_key)
      select ${uuidv7()}::uuid, ${user_id}::uuid, product.id, ${amount}, ${status}, ${seller}, ${is_test} and (${amount}) > 0,
        ${is_given}, ${gift_of}::uuid, ${code_id}::uuid, ${key ?? null}
      from product
      on conflict (user_id, idempotency_key) do nothing
      returning id, is_test
    )
    select made.*, product.has_stock, product.is_sold_out, product.ships from made, product`
  return queryFirst(tx, insertedRow, query)
}

const stockRow = z.object({ product_id: z.string(), copies: z.number() })

/** Takes all counted copies that the purchase still needs, or none: false when one is sold out. Test payments take none. */
export async function takeCopies(
  tx: Transaction,
  purchase_id: string,
  isTaking: SQL = sql`not b.is_test`,
): Promise<boolean> {
  // Locked in one order, so that two bundles do not deadlock.
  const query = sql`
    select s.product_id, s.copies from stock s
    where s.product_id in (
        select copies_of(products) from products join purchases b on b.product_id = products.id
        where b.id = ${purchase_id} and ${isTaking})
      and not exists (
        select from taken_copies t where t.purchase_id = ${purchase_id} and t.product_id = s.product_id)
    order by s.product_id for update of s`
  const needed = await queryAll(tx, stockRow, query)
  if (needed.length === 0) return true
  if (needed.some(({ copies }) => copies === 0)) return false
  await takeFromStock(
    tx,
    needed.map(({ product_id }) => product_id),
  )
  await tx.insert(taken_copies).values(needed.map(({ product_id }) => ({ purchase_id, product_id })))
  return true
}

/** Copies may come back while takeCopies waits for the last one; a test payment takes none. */
async function requireCopies(
  tx: Transaction,
  { id, has_stock, is_sold_out }: z.infer<typeof insertedRow>,
  isTaking = true,
) {
  const isRefused = isTaking ? has_stock && !(await takeCopies(tx, id, sql`true`)) : is_sold_out
  if (isRefused) throw catalogProblem('stock.sold_out')
}

type UserProduct = { user_id: string; product_id: string }

export async function givePurchase(tx: Transaction, own: UserProduct): Promise<string> {
  const isAllowed = sql`${deliveryGap} is null`
  const row = await insertRow(tx, { ...own, amount: sql`0`, status: 'completed', is_given: true, isAllowed })
  if (!row) throw catalogProblem('products.not_found')
  await requireCopies(tx, row)
  return row.id
}

/** The recipient's, of a copy that was paid for and counted with the buyer's purchase. */
export async function insertReceived(
  tx: Transaction,
  received: UserProduct & { gift_of: string },
): Promise<string> {
  const isAllowed = sql`true`
  const row = await insertRow(tx, { ...received, amount: sql`0`, status: 'completed', isAllowed })
  if (!row) throw catalogProblem('products.not_found')
  return row.id
}

/** Ends what the author has given. Triggers of `purchases` count its copies back, and take it out of the sums. */
export async function endGivenPurchase(tx: Transaction, id: string): Promise<void> {
  await tx
    .update(purchases)
    .set({ status: 'canceled' })
    .where(and(eq(purchases.id, id), eq(purchases.is_given, true)))
}

export async function hasPurchase(
  db: Db | Transaction,
  { user_id, product_id }: UserProduct,
): Promise<boolean> {
  const matches = and(
    eq(purchases.user_id, user_id),
    eq(purchases.product_id, product_id),
    isEntitled(sql`${purchases}`),
  )
  return (await db.$count(purchases, matches)) > 0
}

export type Bought = { purchase: Purchase; isNew: boolean }

// The statement that inserts the purchase checks how the shop sells. A key that was seen before gives its purchase.
export async function buy(services: CommerceShop, intent: Intent): Promise<Bought> {
  const shown = await readShownBoxes(services)
  const known = await cachedKeylessFacts(services)
  return services.db.transaction(async (tx) => {
    const bought =
      isSelling(keylessMode(known)) && (await buyAs(tx, services, intent, { shown, facts: known }))
    if (bought) return bought
    // Nothing was inserted: there is no such product, or another process changed how the shop sells.
    const facts = await readKeylessFacts(tx)
    const created = await buyAs(tx, services, intent, { shown, facts })
    if (!created) throw catalogProblem('products.not_found')
    return created
  })
}

async function buyAs(
  tx: Transaction,
  services: CommerceShop,
  intent: Intent,
  { shown, facts }: { shown: ShownBoxes; facts: KeylessFacts },
): Promise<Bought | undefined> {
  const mode = keylessMode(facts)
  const request = mode === 'free' ? { ...intent, code: undefined } : intent
  // A purchase from before the shop closed, or with a code that has ended, stays bought.
  const bought = (request.code || !isSelling(mode)) && (await findBought(tx, request))
  if (bought) return { purchase: bought, isNew: false }
  if (!isSelling(mode)) throw orderProblem('purchases.not_for_sale')
  const terms = { ...(await readTerms(tx, services, request, { mode })), isModeCurrent: isModeCurrent(facts) }
  return findOrInsert(tx, services, request, { shown, terms })
}

/** Shipping costs nothing, too, where the author gives the book away. */
export async function readTerms(
  tx: Transaction,
  services: CommerceShop,
  { code, product_id, ...destination }: BuyerIntent,
  { mode, open_id }: { mode: SaleMode; open_id?: string | undefined },
): Promise<Terms> {
  if (mode === 'free') return { mode, offer: undefined, charge: undefined }
  const charge = findCharge(services, destination)
  const shipping = charge?.amount ?? 0n
  const request = code && { code, product_id, shipping, open_id }
  return { mode, charge, offer: request ? await findOffer(tx, services, request) : undefined }
}

const soldRow = z.object({ format, price: z.coerce.number(), release: release.nullable() })

/** The seller of this product now, at the price with the buyer's code. */
export async function findSeller(
  tx: Transaction,
  { settings }: CommerceShop,
  product_id: string,
  { mode, offer }: Pick<Terms, 'mode' | 'offer'>,
): Promise<Seller> {
  const seller = digitalSeller(settings.get().tax, mode)
  if (seller === 'author') return 'author'
  const query = sql`select format, price, pending_release(products) as release from products where id = ${product_id}`
  const row = await queryFirst(tx, soldRow, query)
  return row ? sellerOf(seller, { ...row, ...(offer && { price: fromCents(offer.price) }) }) : 'author'
}

type Completed = {
  shown: ShownBoxes
  terms: Terms
  is_test?: boolean
}

export async function insertCompleted(
  tx: Transaction,
  services: CommerceShop,
  intent: Intent,
  completed: Completed,
): Promise<Bought> {
  const bought = await findOrInsert(tx, services, intent, completed)
  if (!bought) throw catalogProblem('products.not_found')
  return bought
}

async function findOrInsert(
  tx: Transaction,
  services: CommerceShop,
  intent: Intent,
  { shown, terms, is_test = false }: Completed,
): Promise<Bought | undefined> {
  const purchase_id = await insertPurchase(tx, services, intent, { status: 'completed', terms, is_test })
  if (!purchase_id) {
    const bought = await findBought(tx, intent)
    return bought && { purchase: bought, isNew: false }
  }
  await insertFirstAddress(tx, services, { purchase_id, address: intent.address, mode: terms.mode })
  const hasLetters = await saveTickedBoxes(tx, { purchase_id, shown, ticked: intent })
  if (hasLetters) await subscribeBuyer(services, tx, purchase_id)
  await services.queue.enqueue(tx, receiptJob, { purchase_id })
  return { purchase: await getPurchase(tx, purchase_id), isNew: true }
}
