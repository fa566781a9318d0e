// Stored before Stripe is asked, and shown once stored: concurrent, lost and failed requests lead to the same
// checkout.
import { minuteMs } from '#contract/durations.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { otherSeller } from '#platform/stripe/seller-words.ts'
import type { OpenCheckout, Payments, UsedCode } from '#platform/stripe/payments.ts'
import { checkouts } from '#tables/payments.ts'
import { products } from '#tables/catalog.ts'
import { consents, purchases, discount_codes, discount_uses, shipping_charges } from '#tables/orders.ts'
import { platformProblem } from '#platform/problem.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import { saveReturn } from '#domains/orders/guest-orders.ts'
import { describeBasket } from './basket.ts'
import { paymentProblem } from './problem.ts'
import { pendingRelease, ships } from '#domains/catalog/product-sql.ts'
import type { Charge } from '#domains/orders/shipping.ts'
import type { Release } from '#contract/catalog/products.ts'
import type { Format } from '#contract/catalog/formats.ts'
import type { Seller } from '#contract/orders/seller.ts'
import type { Cents } from '#contract/money.ts'
import { clearProductFault, saveProductFault } from './faults.ts'
import { endOutage } from './outages.ts'
import { cancelUnopened } from './settle.ts'
import { z } from 'zod'
import { defineJob } from '#platform/queue.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

type Dependencies = CommerceShop & {
  provider: Payments
}
type Buyer = { id: string | null; email: string }

type Opened = { session_id: string; url: string | null }

/** The bound of one request, so that the number stays small while the provider is away. */
const attemptsAtOnce = 2
/** The bound of one request; each parameter that Stripe may refuse for an account can be left out once. */
const maxReplacements = 6

export async function findOrOpen(services: Dependencies, buyer: Buyer, purchase_id: string): Promise<Opened> {
  const { provider: payments } = services
  for (let attempts = 1; ; attempts += 1) {
    const prepared = await prepare(services, buyer, purchase_id)
    if (prepared.opened) return prepared.opened
    const { attempt, parameters, product_id, seller } = prepared
    const response = await payments.openCheckout({ purchase_id, attempt, parameters })
    if ('refusal' in response) {
      const { refusal, replacement } = response
      const isReplaced = replacement !== undefined && attempts <= maxReplacements
      if (isReplaced) await nextAttempt(services, { purchase_id, attempt, parameters: replacement })
      else await cancelRefused(services, { purchase_id, product_id, attempt, refusal })
      continue
    }
    if ('usedKey' in response) {
      await nextAttempt(services, { purchase_id, attempt })
      if (attempts >= attemptsAtOnce || response.usedKey.code !== 'payments.unavailable')
        throw response.usedKey
      continue
    }
    if (response.sold_by !== seller) {
      await payments.endCheckout(response.session_id)
      await cancelRefused(services, { purchase_id, product_id, attempt, refusal: otherSeller(seller) })
      continue
    }
    await clearProductFault(services, product_id)
    if (await saveCheckout(services, { purchase_id, attempt, response })) return response
    const { opened } = await prepare(services, buyer, purchase_id).catch(async (error: unknown) => {
      await payments.endCheckout(response.session_id)
      throw error
    })
    if (opened?.session_id !== response.session_id) await payments.endCheckout(response.session_id)
    if (opened) return opened
    if (attempts >= attemptsAtOnce) throw platformProblem('payments.unavailable', { retryAfter: 5 })
  }
}

type Prepared =
  | { opened: Opened }
  | { opened?: undefined; product_id: string; seller: Seller; attempt: number; parameters: object }

/** The parameters that were stored first stay: a retry, perhaps concurrent, sends the same. */
async function prepare(services: Dependencies, buyer: Buyer, purchase_id: string): Promise<Prepared> {
  const { db, provider: payments } = services
  const ofPurchase = eq(checkouts.purchase_id, purchase_id)
  const [record] = await db
    .select({
      session_id: checkouts.session_id,
      url: checkouts.url,
      attempt: checkouts.attempt,
      ships,
      product_id: purchases.product_id,
      product: { name: products.name, format: products.format, release: pendingRelease },
      number: purchases.number,
      amount: purchases.amount,
      currency: purchases.currency,
      seller: purchases.seller,
      // The amount is first: it tells a row from none.
      charge: { amount: shipping_charges.amount, country: shipping_charges.country },
      status: purchases.status,
      consent: consents.text,
      code: { discount: discount_uses.discount, code_id: discount_uses.code_id, code: discount_codes.code },
    })
    .from(checkouts)
    .innerJoin(purchases, eq(purchases.id, checkouts.purchase_id))
    .innerJoin(products, eq(products.id, purchases.product_id))
    .leftJoin(shipping_charges, eq(shipping_charges.purchase_id, purchases.id))
    .leftJoin(consents, eq(consents.purchase_id, purchases.id))
    .leftJoin(discount_uses, eq(discount_uses.purchase_id, purchases.id))
    .leftJoin(discount_codes, eq(discount_codes.id, discount_uses.code_id))
    .where(ofPurchase)
  if (!record) throw orderProblem('purchases.not_found')
  const { session_id, url, attempt, product_id, seller } = record
  if (session_id) return { opened: { session_id, url } }
  if (record.status !== 'pending') throw orderProblem('purchases.checkout_ended')
  const order = JSON.stringify(payments.describe(describeOrder(services, buyer, purchase_id, record)))
  const [saved] = await db
    .update(checkouts)
    .set({ parameters: sql`coalesce(${checkouts.parameters}, ${order}::jsonb)` })
    .where(and(ofPurchase, eq(checkouts.attempt, attempt)))
    .returning({ parameters: checkouts.parameters })
  if (!saved?.parameters) return prepare(services, buyer, purchase_id)
  return { product_id, seller, attempt, parameters: saved.parameters }
}

async function nextAttempt(
  { db }: Dependencies,
  { purchase_id, attempt, parameters }: { purchase_id: string; attempt: number; parameters?: object | null },
) {
  const matches = and(eq(checkouts.attempt, attempt), isNull(checkouts.session_id))
  await db
    .update(checkouts)
    .set({ attempt: attempt + 1, ...(parameters !== undefined && { parameters }) })
    .where(and(eq(checkouts.purchase_id, purchase_id), matches))
}

async function saveCheckout(
  services: Dependencies,
  { purchase_id, attempt, response }: { purchase_id: string; attempt: number; response: OpenCheckout },
): Promise<boolean> {
  const { db, queue, clock } = services
  const isOpen = and(eq(checkouts.attempt, attempt), isNull(checkouts.session_id))
  return db.transaction(async (tx) => {
    const { rowCount } = await tx
      .update(checkouts)
      .set(response)
      .where(and(eq(checkouts.purchase_id, purchase_id), isOpen))
    if (!rowCount) return false
    const until = clock().toISOString()
    await saveReturn(tx, purchase_id, response.session_id)
    if (attempt > 1) await queue.enqueue(tx, endOthersJob, { purchase_id, until })
    await endOutage(services, tx)
    return true
  })
}

type RefusedOrder = { purchase_id: string; product_id: string; attempt: number; refusal: string }

/** The same parameters never succeed; the next click may, after the author has corrected the product. */
async function cancelRefused(services: Dependencies, order: RefusedOrder) {
  const { db, log } = services
  const { purchase_id, product_id, attempt, refusal } = order
  if (!(await cancelUnopened(db, { id: purchase_id, attempt }))) return
  log.error({ purchase_id, reason: refusal }, 'the provider has refused to open a checkout')
  await saveProductFault(services, { product_id, words: refusal })
  throw paymentProblem('payments.refused')
}

type Saved = {
  product_id: string
  seller: Seller
  product: { name: string; format: Format; release: Release | null }
  number: number
  amount: Cents
  currency: string
  charge: Charge | null
  ships: boolean
  consent: string | null
  code: SavedCode
}
type SavedCode = { [Field in keyof UsedCode]: UsedCode[Field] | null }

function describeOrder(
  { settings }: Dependencies,
  { id: user_id, email }: Buyer,
  purchase_id: string,
  { product_id, product, seller, number, amount, currency, charge, ships: isShipped, consent, code }: Saved,
) {
  const { shop } = settings.get()
  const price = amount - (charge?.amount ?? 0n)
  const basket = describeBasket(
    settings.get(),
    { ...product, price, ships: isShipped, seller },
    { currency, charge },
  )
  return {
    ...basket,
    shop_id: shop.id,
    purchase_id,
    user_id,
    order: formatOrderNumber(number),
    product: { ...basket.product, id: product_id },
    email,
    code: usedCodeOf(code),
    consent,
    // Stripe writes the id of the checkout into it.
    success_url: `${shop.site_url}/${user_id ? `dashboard?paid=${purchase_id}` : `purchase/${purchase_id}?session_id={CHECKOUT_SESSION_ID}`}`,
    cancel_url: `${shop.site_url}/?checkout=canceled#book-sales`,
  }
}

function usedCodeOf({ code, code_id, discount }: SavedCode): UsedCode | null {
  return code === null || code_id === null || discount === null ? null : { code, code_id, discount }
}

/** Clocks differ. */
const skewMs = 10 * minuteMs

/** A job, as the list is of the whole account and may be long. No buyer reaches these checkouts. */
export const endOthersJob = defineJob({
  name: 'payments.end_others',
  payload: z.object({ purchase_id: z.uuid(), until: z.iso.datetime() }),
  async run({ db, ...services }: CommerceShop, { purchase_id, until }) {
    const payments = services.payments.current()
    if (!payments) throw paymentProblem('payments.not_set')
    const [saved] = await db.select().from(checkouts).where(eq(checkouts.purchase_id, purchase_id))
    if (!saved) return
    const from = new Date(saved.created_at.getTime() - skewMs)
    const to = new Date(new Date(until).getTime() + skewMs)
    const open = await payments.listOpenCheckouts({ purchase_id, from, to })
    for (const id of open) if (id !== saved.session_id) await payments.endCheckout(id)
  },
})
