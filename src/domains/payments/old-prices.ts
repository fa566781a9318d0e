// Checkouts that are open at the price which a product had before. A job ends them once the price has changed.
import { and, desc, eq, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { toCents } from '#contract/money.ts'
import { wasPaid } from '#contract/orders/purchase-status.ts'
import type { LeftAtOldPrice } from '#contract/payments/needs-attention.ts'
import type { Payments } from '#platform/stripe/payments.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { defineJob, type Queue } from '#platform/queue.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { checkouts } from '#tables/payments.ts'
import { product_prices, products } from '#tables/catalog.ts'
import { discount_uses, purchases, shipping_charges, shopCurrency } from '#tables/orders.ts'
import { paymentProblem } from './problem.ts'
import { cancelUnopened, settlePurchase } from './settle.ts'

const priceThen = sql`${purchases.amount} - coalesce(${shipping_charges.amount}, 0) + coalesce(${discount_uses.discount}, 0)`

const isOtherThan = (price: SQL | typeof products.price) =>
  sql`(${priceThen} <> ${price} or ${purchases.currency} <> ${shopCurrency})`

/** One without an address waits for a bank, unless it was never opened. */
const isPayable = and(
  eq(purchases.status, 'pending'),
  isNull(checkouts.held_reason),
  or(isNotNull(checkouts.url), isNull(checkouts.session_id)),
)

/** Asks no provider, which a copy of a shop may not use. */
const isOfMode = ({ payments }: Pick<CommerceShop, 'payments'>) =>
  eq(checkouts.is_live, payments.mode() === 'live')

/** Counts those that another price would end. */
export async function countOpenCheckouts(
  services: CommerceShop,
  { product_id, price }: { product_id: string; price: number },
): Promise<number> {
  if (services.payments.mode() === 'none') return 0
  const isOther = isOtherThan(sql`${sql.param(toCents(price), purchases.amount)}::numeric`)
  const [row] = await services.db
    .select({ count: sql<number>`count(*)::int` })
    .from(purchases)
    .innerJoin(checkouts, eq(checkouts.purchase_id, purchases.id))
    .leftJoin(shipping_charges, eq(shipping_charges.purchase_id, purchases.id))
    .leftJoin(discount_uses, eq(discount_uses.purchase_id, purchases.id))
    .where(and(eq(purchases.product_id, product_id), isPayable, isOfMode(services), isOther))
  return row?.count ?? 0
}

/** The bound of one run, which has two minutes; the next run goes on. */
const maxAtOnce = 200

/** The newest are most likely to be paid. */
function selectAtOldPrice(services: CommerceShop, product_id: string) {
  return services.db
    .select({ id: purchases.id, session_id: checkouts.session_id, attempt: checkouts.attempt })
    .from(purchases)
    .innerJoin(checkouts, eq(checkouts.purchase_id, purchases.id))
    .innerJoin(products, eq(products.id, purchases.product_id))
    .leftJoin(shipping_charges, eq(shipping_charges.purchase_id, purchases.id))
    .leftJoin(discount_uses, eq(discount_uses.purchase_id, purchases.id))
    .where(
      and(eq(purchases.product_id, product_id), isPayable, isOfMode(services), isOtherThan(products.price)),
    )
    .orderBy(desc(purchases.created_at))
    .limit(maxAtOnce)
}

type AtOldPrice = Awaited<ReturnType<typeof selectAtOldPrice>>[number]

const theShop: Actor = { id: null, email: 'The shop', ip: null }

/** After so many failures the rest would fail, too: Stripe is away. */
const maxFailures = 3

/** Compares with the price at that moment: of two changes the later one counts. */
export const endOldPricesJob = defineJob({
  name: 'payments.end_old_prices',
  payload: z.object({ product_id: z.uuid() }),
  // A checkout is open for a day, so it is tried each hour at least.
  maxPauseSeconds: 3600,
  async run(services: CommerceShop, { product_id }) {
    const { db, payments, queue } = services
    const provider = payments.current()
    if (!provider) throw paymentProblem('payments.not_set')
    const open = await selectAtOldPrice(services, product_id)
    const done = await endAll({ ...services, provider }, open)
    if (done.ended > 0 || done.paid > 0) await recordEnded(db, product_id, done)
    if (done.failed > 0) throw new Error(`${done.failed} checkouts at an old price could not be ended`)
    if (open.length === maxAtOnce) await enqueueEnding(db, queue, product_id)
  },
})

/** Call it in the transaction that changes the price. */
export async function endOldPrices(
  { payments, queue }: CommerceShop,
  tx: Transaction,
  product_id: string,
): Promise<void> {
  if (payments.mode() !== 'none') await enqueueEnding(tx, queue, product_id)
}

async function enqueueEnding(db: Db | Transaction, queue: Queue, product_id: string): Promise<void> {
  await queue.enqueue(db, endOldPricesJob, { product_id })
}

type Ending = CommerceShop & { provider: Payments }

/** `waiting`: a payment is on its way, or waits for the author. */
type Outcome = 'ended' | 'paid' | 'waiting' | 'failed'

async function endAll(services: Ending, open: readonly AtOldPrice[]): Promise<Record<Outcome, number>> {
  const done = { ended: 0, paid: 0, waiting: 0, failed: 0 }
  const rest = open.values()
  const work = async () => {
    for (const checkout of rest) {
      if (done.failed >= maxFailures) return
      done[await end(services, checkout)] += 1
    }
  }
  await Promise.all(Array.from({ length: services.config.stripe.callsAtOnce }, work))
  return done
}

/** Asks Stripe afterwards what became of it: a payment of that moment stays paid. */
async function end(services: Ending, { id, session_id, attempt }: AtOldPrice): Promise<Outcome> {
  const { db, provider, log } = services
  try {
    // One that is opened at this moment is ended by the next attempt.
    if (!session_id) return (await cancelUnopened(db, { id, attempt })) ? 'ended' : 'failed'
    await provider.endCheckout(session_id)
    const status = await settlePurchase(services, id)
    if (status === 'canceled') return 'ended'
    return status && wasPaid(status) ? 'paid' : 'waiting'
  } catch (error) {
    log.warn({ err: error, purchase_id: id }, 'a checkout at an old price could not be ended')
    return 'failed'
  }
}

async function recordEnded(db: Db, product_id: string, { ended, paid }: Record<Outcome, number>) {
  const [product] = await db.select({ name: products.name }).from(products).where(eq(products.id, product_id))
  if (!product) return
  await recordAuditEvent(db, theShop, {
    action: 'products.old_checkouts_ended',
    subject: product.name,
    subject_id: product_id,
    // Texts, as in the rows that the log has already.
    detail: { ended: String(ended), ...(paid > 0 && { paid: String(paid) }) },
  })
}

/** Stripe ends a checkout after 24 hours; the shop may hear of it later. */
const openHours = 25
const graceMinutes = 10

/** Lists products whose price changed a while ago, while the one before can still be paid. */
export function listLeftAtOldPrice(services: CommerceShop): Promise<LeftAtOldPrice[]> {
  const isNew = sql`exists (
    select from ${product_prices} p where p.product_id = ${products.id} and p.until is null
      and p.since > now() - make_interval(mins => ${graceMinutes}))`
  return services.db
    .select({ product_id: products.id, name: products.name, count: sql<number>`count(*)::int` })
    .from(purchases)
    .innerJoin(checkouts, eq(checkouts.purchase_id, purchases.id))
    .innerJoin(products, eq(products.id, purchases.product_id))
    .leftJoin(shipping_charges, eq(shipping_charges.purchase_id, purchases.id))
    .leftJoin(discount_uses, eq(discount_uses.purchase_id, purchases.id))
    .where(
      and(
        isPayable,
        isOfMode(services),
        isNotNull(checkouts.session_id),
        sql`${purchases.created_at} > now() - make_interval(hours => ${openHours})`,
        isOtherThan(products.price),
        sql`not ${isNew}`,
      ),
    )
    .groupBy(products.id)
    .orderBy(products.name)
    .limit(10)
}
