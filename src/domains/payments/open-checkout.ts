// Stored before Stripe is asked, and shown once stored: concurrent, lost and failed requests lead to the same
// checkout.
import { minuteMs } from '#contract/durations.ts'
import { wasPaid } from '#contract/orders/purchases.ts'
import { formatOrderNumber } from '#contract/orders/order-number.ts'
import { and, eq, isNull, sql, isNotNull, or } from 'drizzle-orm'
import type { OpenCheckout, Payments, UsedCode } from '#platform/stripe/payments.ts'
import { checkouts } from '#tables/payments.ts'
import { products } from '#tables/catalog.ts'
import {
  consents,
  purchases,
  discount_codes,
  discount_uses,
  shipping_charges,
  shopCurrency,
} from '#tables/orders.ts'
import { platformProblem } from '#platform/problem.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import { saveReturn } from '#domains/orders/guest-orders.ts'
import { describeBasket } from './basket.ts'
import { paymentProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import { pendingRelease, ships } from '#domains/catalog/product-sql.ts'
import type { Charge } from '#domains/orders/shipping.ts'
import type { Format, Release } from '#contract/catalog/products.ts'
import type { Cents } from '#contract/money.ts'
import { clearProductFault, saveProductFault } from './faults.ts'
import { endOutage } from './outages.ts'
import { cancelUnopened, settlePurchase } from './settle.ts'
import { z } from 'zod'
import { defineJob } from '#platform/queue.ts'
import { catalogProblem } from '#domains/catalog/shop.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import type { EndedAtOldPrice } from '#contract/payments/needs-attention.ts'
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
    const { attempt, parameters, product_id } = prepared
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
  | { opened?: undefined; product_id: string; attempt: number; parameters: object }

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
  const { session_id, url, attempt, product_id } = record
  if (session_id) return { opened: { session_id, url } }
  if (record.status !== 'pending') throw orderProblem('purchases.checkout_ended')
  const order = JSON.stringify(payments.describe(describeOrder(services, buyer, purchase_id, record)))
  const [saved] = await db
    .update(checkouts)
    .set({ parameters: sql`coalesce(${checkouts.parameters}, ${order}::jsonb)` })
    .where(and(ofPurchase, eq(checkouts.attempt, attempt)))
    .returning({ parameters: checkouts.parameters })
  if (!saved?.parameters) return prepare(services, buyer, purchase_id)
  return { product_id, attempt, parameters: saved.parameters }
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
  { product_id, product, number, amount, currency, charge, ships: isShipped, consent, code }: Saved,
) {
  const { shop } = settings.get()
  const price = amount - (charge?.amount ?? 0n)
  const basket = describeBasket(settings.get(), { ...product, price, ships: isShipped }, { currency, charge })
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

const priceThen = sql`${purchases.amount} - coalesce(${shipping_charges.amount}, 0) + coalesce(${discount_uses.discount}, 0)`

/** One without an address waits for a bank, unless it was never opened. */
const isPayable = and(
  eq(purchases.status, 'pending'),
  isNull(checkouts.held_reason),
  or(isNotNull(checkouts.url), isNull(checkouts.session_id)),
)

function selectAtOldPrice(db: Services['db'], product_id: string, provider: Payments) {
  return db
    .select({ id: purchases.id, session_id: checkouts.session_id, attempt: checkouts.attempt })
    .from(purchases)
    .innerJoin(checkouts, eq(checkouts.purchase_id, purchases.id))
    .innerJoin(products, eq(products.id, purchases.product_id))
    .leftJoin(shipping_charges, eq(shipping_charges.purchase_id, purchases.id))
    .leftJoin(discount_uses, eq(discount_uses.purchase_id, purchases.id))
    .where(
      and(
        eq(purchases.product_id, product_id),
        isPayable,
        eq(checkouts.is_live, provider.isLive),
        sql`(${priceThen} <> ${products.price} or ${purchases.currency} <> ${shopCurrency})`,
      ),
    )
}

/** Asks about each afterwards: a payment of that moment stays paid. After a failure the rest stays open. */
export async function endAtOldPrice(
  services: CommerceShop,
  actor: Actor,
  product_id: string,
): Promise<EndedAtOldPrice> {
  const { db, payments, config } = services
  const provider = payments.current()
  if (!provider) throw paymentProblem('payments.not_set')
  const [product] = await db.select({ name: products.name }).from(products).where(eq(products.id, product_id))
  if (!product) throw catalogProblem('products.not_found')
  const open = await selectAtOldPrice(db, product_id, provider)
  const done = { ended: 0, paid: 0, kept: 0, failed: open.length }
  const waiting = open.values()
  let isOver = false
  const work = async () => {
    for (const checkout of waiting) {
      const outcome = await end({ ...services, provider }, checkout)
      if (outcome === 'failed') isOver = true
      else {
        done[outcome] += 1
        done.failed -= 1
      }
      if (isOver) return
    }
  }
  await Promise.all(Array.from({ length: config.stripe.callsAtOnce }, work))
  if (open.length > 0) {
    // Texts, as in the rows that the log has already.
    const detail = Object.fromEntries(
      Object.entries(done).map(([outcome, count]) => [outcome, String(count)]),
    )
    const action = 'products.old_checkouts_ended'
    await recordAuditEvent(db, actor, { action, subject: product.name, subject_id: product_id, detail })
  }
  return done
}

type AtOldPrice = Awaited<ReturnType<typeof selectAtOldPrice>>[number]

async function end(services: CommerceShop & { provider: Payments }, { id, session_id, attempt }: AtOldPrice) {
  const { db, provider, log } = services
  try {
    if (!session_id && (await cancelUnopened(db, { id, attempt }))) return 'ended'
    if (session_id) await provider.endCheckout(session_id)
    const status = await settlePurchase(services, id)
    if (status === 'canceled') return 'ended'
    return status && wasPaid(status) ? 'paid' : 'kept'
  } catch (error) {
    log.warn({ err: error, purchase_id: id }, 'a checkout at an old price could not be ended')
    return 'failed'
  }
}
