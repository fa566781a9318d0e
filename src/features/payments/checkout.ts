// Buying with Stripe: the purchase is inserted as pending first; the provider then takes the money.
import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { isDeepStrictEqual } from 'node:util'
import { addMoney, compareMoney } from '#platform/contract/money.ts'
import type { Payments } from '#platform/stripe/payments.ts'
import type { Transaction } from '#platform/db/client.ts'
import { checkouts } from './schema.ts'
import { products } from '../products/schema.ts'
import { purchases } from '../purchases/schema.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import type { WithBook } from '../book/published-book.ts'
import { isOnSale, ships } from '../products/product-columns.ts'
import { findCharge, isSameCountry } from '../shipping/charges.ts'
import type { ShippingCharge } from '../shipping/contract/shipments.ts'
import { shipping_charges } from '../shipping/schema.ts'
import { discount_codes, discount_uses } from '../discounts/schema.ts'
import type { Offer } from '../discounts/apply-discount.ts'
import { insertConsent, readAskedConsent } from '../purchases/consents.ts'
import { shopCurrency } from '../purchases/shop-currency.ts'
import { insertCompleted, readTerms, type Bought } from '../purchases/buy.ts'
import { insertPurchase } from '../purchases/insert-purchase.ts'
import { findBought, getPurchase, type Intent } from '../purchases/purchases.ts'
import { cancelUnopened } from './cancel-purchase.ts'
import { firstCheck } from './next-check.ts'
import { findOrOpen } from './open-checkout.ts'
import { recordRefused } from './outages.ts'
import { settlePurchase } from './settle.ts'

type Needs = Pick<Services, 'db' | 'queue' | 'payments' | 'config' | 'settings' | 'clock' | 'log'> & WithBook
type Buyer = { id: string; email: string }

export type CheckedOut = Bought & { checkout_url: string | null }

/**
 * Where the buyer pays: `checkout_url`, or null when there is nothing to pay any more. While a checkout for the same
 * product is open it is resumed, whatever the key: a buyer never has two payable checkouts of one product.
 */
export async function checkOut(
  services: Needs & { provider: Payments },
  buyer: Buyer,
  intent: Omit<Intent, 'user_id'>,
): Promise<CheckedOut> {
  try {
    return await begin(services, buyer, intent)
  } catch (error) {
    await recordRefused(services, buyer.id, error)
    throw error
  }
}

async function begin(
  services: Needs & { provider: Payments },
  buyer: Buyer,
  intent: Omit<Intent, 'user_id'>,
): Promise<CheckedOut> {
  const { db } = services
  const wanted = { ...intent, user_id: buyer.id }
  const asked = await readAskedConsent(services)
  const found = await db.transaction(async (tx) => {
    const made = await findOrMake(tx, services, wanted, asked)
    if (!('purchase' in made) && (made.isNew || !made.isOwnKey))
      await insertConsent(tx, { purchase_id: made.id, asked, consent: intent.consent })
    return made
  })
  if ('purchase' in found) return { ...found, checkout_url: null }
  const { id, isNew } = found
  // Who goes on with a payment on the dashboard names no country: it is the one that was chosen before.
  const again = { ...intent, country: intent.country ?? found.charge?.country ?? undefined }
  if (found.isOutdated && !(await endOutdated(services, found))) return begin(services, buyer, again)
  const status = isNew ? 'pending' : await settlePurchase(services, id)
  if (status === 'canceled') {
    if (found.isOwnKey) throw new Problem('purchases.checkout_ended')
    return begin(services, buyer, again)
  }
  const checkout_url = status === 'pending' ? (await findOrOpen(services, buyer, id)).url : null
  return { purchase: await getPurchase(db, id), isNew, checkout_url }
}

/** False when a checkout was opened for it meanwhile. */
async function endOutdated(
  { db, provider }: Pick<Needs, 'db'> & { provider: Payments },
  { id, session_id, attempt }: Found,
): Promise<boolean> {
  if (!session_id) return cancelUnopened(db, { id, attempt })
  await provider.endCheckout(session_id)
  return true
}

type Found = {
  id: string
  session_id: string | null
  attempt: number
  isNew: boolean
  /** Made by this very intent; another one's checkout may be left for a new one, this one's not. */
  isOwnKey: boolean
  /** Price, currency, code, country or shipping are not those asked for now, or the product is no longer for sale. */
  isOutdated: boolean
  charge: ShippingCharge | null
}

/**
 * Serialized for each buyer and product, so that the second of two clicks finds the first. A completed purchase where
 * there is nothing to pay, or nothing was when the key was used first.
 */
async function findOrMake(
  tx: Transaction,
  services: Needs & { provider: Payments },
  intent: Intent,
  asked: string | null,
): Promise<Found | Bought> {
  const { provider } = services
  const { user_id, product_id } = intent
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${`checkout ${user_id} ${product_id}`}, 0))`,
  )
  const made = await findByKey(tx, intent)
  if (made) return made
  const bought = await findBought(tx, intent)
  if (bought) return { purchase: bought, isNew: false }
  const open = await findOpen(tx, services, intent)
  const terms = await readTerms(tx, services, intent, { mode: 'paid', open_id: open?.id })
  if (open) return compareOpen(services, open, intent, terms.offer)
  const is_test = !provider.isLive
  if (terms.offer?.total === 0) return insertCompleted(tx, services, intent, { asked, terms, is_test })
  const id = await insertPurchase(tx, services, intent, { status: 'pending', terms, is_test })
  if (!id) throw new Problem('products.not_found')
  const next_check_at = firstCheck(services)
  await tx.insert(checkouts).values({ purchase_id: id, is_live: provider.isLive, next_check_at })
  return { id, session_id: null, attempt: 1, isNew: true, isOwnKey: true, isOutdated: false, charge: null }
}

async function findByKey(
  tx: Transaction,
  { user_id, product_id, key, code, ...destination }: Intent,
): Promise<Found | undefined> {
  if (!key) return undefined
  const [row] = await selectCheckouts(tx).where(
    and(eq(purchases.user_id, user_id), eq(purchases.idempotency_key, key)),
  )
  const isSame =
    row?.product_id === product_id &&
    row.code_used === (code ?? null) &&
    isSameCountry(row.charge, destination)
  if (row && !isSame) throw new Problem('purchases.key_reused')
  return row && { ...row, isNew: false, isOwnKey: true, isOutdated: false }
}

/** The pending purchase of the same thing, unless it waits for the author or is one of the other kind of key. */
async function findOpen(
  tx: Transaction,
  services: Needs & { provider: Payments },
  { user_id, product_id }: Intent,
) {
  const isSameProduct = and(eq(purchases.user_id, user_id), eq(purchases.product_id, product_id))
  const [row] = await selectCheckouts(tx)
    .where(
      and(
        isSameProduct,
        eq(purchases.status, 'pending'),
        isNull(checkouts.held_reason),
        eq(checkouts.is_live, services.provider.isLive),
      ),
    )
    .orderBy(desc(purchases.created_at))
    .limit(1)
  return row
}

function compareOpen(
  services: Needs,
  row: NonNullable<Awaited<ReturnType<typeof findOpen>>>,
  { code, ...destination }: Intent,
  offer: Offer | undefined,
): Found {
  const country = destination.country ?? row.charge?.country ?? undefined
  const charge = row.ships ? findCharge(services, { ...destination, country }) : undefined
  const price = addMoney([offer?.price ?? row.price, charge?.amount ?? 0])
  const isSame =
    row.is_in_currency &&
    compareMoney(row.amount, price) === 0 &&
    row.code_used === (code ?? null) &&
    isDeepStrictEqual(row.charge, charge ?? null)
  const isOutdated = !isSame || !row.is_on_sale
  return { ...row, isNew: false, isOwnKey: false, isOutdated }
}

function selectCheckouts(tx: Transaction) {
  return tx
    .select({
      id: purchases.id,
      session_id: checkouts.session_id,
      attempt: checkouts.attempt,
      product_id: purchases.product_id,
      amount: purchases.amount,
      price: products.price,
      is_in_currency: sql<boolean>`${purchases.currency} = ${shopCurrency}`,
      is_on_sale: isOnSale,
      code_used: discount_codes.code,
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
