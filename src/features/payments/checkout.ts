import { and, desc, eq, isNull, sql } from 'drizzle-orm'
import { isDeepStrictEqual } from 'node:util'
import type { Payments } from '#platform/stripe/payments.ts'
import type { Transaction } from '#platform/db/client.ts'
import { checkouts } from './schema.ts'
import { products } from '../products/schema.ts'
import { purchases, shopCurrency } from '../purchases/schema.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import type { WithBook } from '../book/published-book.ts'
import { isOnSale, ships } from '../products/product-columns.ts'
import { findCharge, isSameCountry, type Charge } from '../shipping/charges.ts'
import { shipping_charges } from '../shipping/schema.ts'
import { discount_codes, discount_uses } from '../discounts/schema.ts'
import type { Offer } from '../discounts/apply-discount.ts'
import { insertConsent, readAskedConsent } from '../purchases/consents.ts'
import { insertCompleted, readTerms, type Bought } from '../purchases/buy.ts'
import { insertPurchase } from '../purchases/insert-purchase.ts'
import { findBought, getPurchase, type Intent } from '../purchases/purchases.ts'
import { cancelUnopened } from './change-purchase.ts'
import { firstCheck } from './next-check.ts'
import { findOrOpen } from './open-checkout.ts'
import { saveRefusedBuyer } from './outages.ts'
import { settlePurchase } from './settle.ts'

type Needs = Services & WithBook & { provider: Payments }
type Buyer = { id: string; email: string }

/** An open checkout of the same product is resumed, whatever the key: a buyer never has two payable ones. */
export async function checkOut(services: Needs, buyer: Buyer, intent: Omit<Intent, 'user_id'>) {
  try {
    return await begin(services, buyer, intent)
  } catch (error) {
    await saveRefusedBuyer(services, buyer.id, error)
    throw error
  }
}

async function begin(
  services: Needs,
  buyer: Buyer,
  intent: Omit<Intent, 'user_id'>,
): Promise<Bought & { checkout_url: string | null }> {
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
  // Resuming on the dashboard names no country.
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

async function endOutdated({ db, provider }: Needs, { id, session_id, attempt }: Found) {
  if (!session_id) return cancelUnopened(db, { id, attempt })
  await provider.endCheckout(session_id)
  return true
}

type Found = {
  id: string
  session_id: string | null
  attempt: number
  isNew: boolean
  /** A checkout of another intent may be replaced, this intent's may not. */
  isOwnKey: boolean
  isOutdated: boolean
  charge: Charge | null
}

/** Serialized for each buyer and product, so that the second of two clicks finds the first. */
async function findOrMake(
  tx: Transaction,
  services: Needs,
  intent: Intent,
  asked: string | null,
): Promise<Found | Bought> {
  const { provider } = services
  const key = `checkout ${intent.user_id} ${intent.product_id}`
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
  const made = await findByKey(tx, intent)
  if (made) return made
  const bought = await findBought(tx, intent)
  if (bought) return { purchase: bought, isNew: false }
  const open = await findOpen(tx, services, intent)
  const terms = await readTerms(tx, services, intent, { mode: 'paid', open_id: open?.id })
  if (open) return compareOpen(services, open, intent, terms.offer)
  const is_test = !provider.isLive
  if (terms.offer?.total === 0n) return insertCompleted(tx, services, intent, { asked, terms, is_test })
  const id = await insertPurchase(tx, services, intent, { status: 'pending', terms, is_test })
  if (!id) throw new Problem('products.not_found')
  const next_check_at = firstCheck(services)
  await tx.insert(checkouts).values({ purchase_id: id, is_live: provider.isLive, next_check_at })
  return { id, session_id: null, attempt: 1, isNew: true, isOwnKey: true, isOutdated: false, charge: null }
}

async function findByKey(tx: Transaction, { user_id, product_id, key, code, ...destination }: Intent) {
  if (!key) return undefined
  const isOfKey = and(eq(purchases.user_id, user_id), eq(purchases.idempotency_key, key))
  const [row] = await selectCheckouts(tx).where(isOfKey)
  const isSame =
    row?.product_id === product_id &&
    row.code_used === (code ?? null) &&
    isSameCountry(row.charge, destination)
  if (row && !isSame) throw new Problem('purchases.key_reused')
  return row && { ...row, isNew: false, isOwnKey: true, isOutdated: false }
}

async function findOpen(tx: Transaction, { provider }: Needs, { user_id, product_id }: Intent) {
  const isSameProduct = and(eq(purchases.user_id, user_id), eq(purchases.product_id, product_id))
  const isOpen = and(eq(purchases.status, 'pending'), isNull(checkouts.held_reason))
  const [row] = await selectCheckouts(tx)
    .where(and(isSameProduct, isOpen, eq(checkouts.is_live, provider.isLive)))
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
  const price = (offer?.price ?? row.price) + (charge?.amount ?? 0n)
  const isSame =
    row.is_in_currency &&
    row.amount === price &&
    row.code_used === (code ?? null) &&
    isDeepStrictEqual(row.charge, charge ?? null)
  return { ...row, isNew: false, isOwnKey: false, isOutdated: !isSame || !row.is_on_sale }
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
