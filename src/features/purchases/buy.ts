// Buying: what it costs, the row of the purchase, and the copies that it takes. Buyer, price and status are the server's to
// say.
import { sql, type SQL } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Transaction } from '#platform/db/client.ts'
import { queryFirst } from '#platform/db/query.ts'
import type { Payments } from '#platform/stripe/payments.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import type { WithBook } from '../book/published-book.ts'
import { countUse, findOffer, type Offer } from '../discounts/apply-discount.ts'
import { isSoldOut, ships } from '../products/bundle-contents.ts'
import { isOnSale } from '../products/delivery.ts'
import { keepFirstAddress } from '../shipping/address.ts'
import { findCharge, keepCharge } from '../shipping/charges.ts'
import type { ShippingCharge } from '../shipping/contract/shipments.ts'
import { isCounted, takeCopies } from '../stock/take-copies.ts'
import { keepConsent, readAskedConsent } from './consents.ts'
import type { Purchase, PurchaseStatus } from './contract/purchases.ts'
import { currentRefundTerms } from './contract/refund-conditions.ts'
import { findBought, getPurchase, type Intent } from './purchases.ts'
import { receiptJob } from './receipts.ts'

export type Bought = { purchase: Purchase; isNew: boolean }

/** Makes a purchase that is to be paid, or finds the one of this intent; `checkout_url` is where it is paid. */
export type CheckOut = (
  services: Services & WithBook & { provider: Payments },
  buyer: { id: string; email: string },
  intent: Omit<Intent, 'user_id'>,
) => Promise<Bought & { checkout_url: string | null }>

/**
 * Records a completed purchase at the product's price of this moment and enqueues its receipt, both or neither.
 * A key that was seen before gives the purchase it made then (`isNew` false).
 * Throws what insertPurchase and readTerms throw, products.not_found, purchases.address_needed, purchases.consent_needed,
 * shipments.country_not_served, or purchases.key_reused when the key was used for another product, address, country or
 * code.
 */
export async function buy(
  services: Pick<Services, 'db' | 'queue' | 'config' | 'settings' | 'payments'> & WithBook,
  intent: Intent,
): Promise<Bought> {
  const asked = await readAskedConsent(services)
  return services.db.transaction(async (tx) => {
    // What was bought with a code that has ended since stays bought.
    const bought = intent.code && (await findBought(tx, intent))
    if (bought) return { purchase: bought, isNew: false }
    return insertCompleted(tx, services, intent, { asked, terms: await readTerms(tx, services, intent) })
  })
}

/** What an intent costs now: with its discount code, and for sending it. */
export type Terms = { offer: Offer | undefined; charge: ShippingCharge | undefined }

/** `open_id` is the purchase that is continued, if there is one. Throws what findOffer throws. */
export async function readTerms(
  tx: Transaction,
  services: Pick<Services, 'settings' | 'payments'>,
  { code, product_id, ...destination }: Intent,
  open_id?: string,
): Promise<Terms> {
  const charge = findCharge(services, destination)
  const shipping = charge?.amount ?? 0
  const asked = code && { code, product_id, shipping, open_id }
  return { charge, offer: asked ? await findOffer(tx, services, asked) : undefined }
}

/** As `buy`, at these terms; `asked` is what readAskedConsent has returned before the transaction. */
export async function insertCompleted(
  tx: Transaction,
  services: Pick<Services, 'queue' | 'config' | 'settings'>,
  intent: Intent,
  { asked, terms, is_test = false }: { asked: string | null; terms: Terms; is_test?: boolean },
): Promise<Bought> {
  const purchase_id = await insertPurchase(tx, services, intent, { status: 'completed', terms, is_test })
  if (!purchase_id) {
    const bought = await findBought(tx, intent)
    if (!bought) throw new Problem('products.not_found')
    return { purchase: bought, isNew: false }
  }
  await keepFirstAddress(tx, services, { purchase_id, address: intent.address })
  await keepConsent(tx, { purchase_id, asked, consent: intent.consent })
  await services.queue.enqueue(tx, receiptJob, { purchase_id })
  return { purchase: await getPurchase(tx, purchase_id), isNew: true }
}

type NewPurchase = { status: PurchaseStatus; terms: Terms; is_test?: boolean }

/**
 * The new row's id; undefined when the product is not for sale or cannot be delivered, or when this key has bought
 * before (the row then is committed: the insert waits for it). Throws stock.sold_out, discounts.used_up, and what
 * keepCharge throws.
 */
export async function insertPurchase(
  tx: Transaction,
  services: Pick<Services, 'settings'>,
  { user_id, product_id, key, shipping: shown }: Intent,
  { status, terms: { offer, charge }, is_test = false }: NewPurchase,
): Promise<string | undefined> {
  const price = offer ? sql`${offer.price}::numeric` : sql`product.price`
  const amount = charge
    ? sql`${price} + case when product.ships then ${charge.amount}::numeric else 0 end`
    : price
  const made = await insertRow(tx, { user_id, product_id, key, amount, status, is_test, isAllowed: isOnSale })
  if (!made) return undefined
  const told = { shown, isFinal: status === 'completed' }
  if (made.ships && charge) await keepCharge(tx, services, { purchase_id: made.id, charge, ...told })
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

/**
 * Copies may come back while takeCopies waits for the last one; a test order takes none and does not wait. Throws
 * stock.sold_out.
 */
export async function requireCopies(
  tx: Transaction,
  { id, is_test, is_counted, is_sold_out }: z.infer<typeof insertedRow>,
): Promise<void> {
  const isRefused = is_test ? is_sold_out : is_counted && !(await takeCopies(tx, id))
  if (isRefused) throw new Problem('stock.sold_out')
}
