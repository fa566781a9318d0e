import { and, asc, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { Payments } from '#platform/stripe/payments.ts'
import { catalogProblem } from '#domains/catalog/problem.ts'
import { paymentProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { discount_uses } from '#tables/discounts.ts'
import { products } from '#tables/products.ts'
import { wasPaid } from '#contract/orders/purchases.ts'
import { purchases, shopCurrency } from '#tables/purchases.ts'
import { shipping_charges } from '#tables/shipping.ts'
import { cancelUnopened } from './change-purchase.ts'
import type { EndedAtOldPrice } from '#contract/payments/old-prices.ts'
import { checkouts } from '#tables/payments.ts'
import { settlePurchase } from './settle.ts'

const batchSize = 20

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

export async function countAtOldPrice({ db, payments }: Services, product_id: string): Promise<number> {
  const provider = payments.current()
  return provider ? db.$count(selectAtOldPrice(db, product_id, provider)) : 0
}

/** What is paid at that moment stays paid: each is asked about afterwards. The first failure ends the batch. */
export async function endAtOldPrice(
  services: Services,
  actor: Actor,
  product_id: string,
): Promise<EndedAtOldPrice> {
  const { db, payments, config } = services
  const provider = payments.current()
  if (!provider) throw paymentProblem('payments.not_set')
  const [product] = await db.select({ name: products.name }).from(products).where(eq(products.id, product_id))
  if (!product) throw catalogProblem('products.not_found')
  const batch = await selectAtOldPrice(db, product_id, provider)
    .orderBy(asc(purchases.created_at), asc(purchases.id))
    .limit(batchSize)
  const done = { ended: 0, paid: 0, kept: 0, failed: 0 }
  const waiting = batch.values()
  const work = async () => {
    for (const checkout of waiting) {
      done[await end({ ...services, provider }, checkout)] += 1
      if (done.failed > 0) return
    }
  }
  await Promise.all(Array.from({ length: config.stripe.callsAtOnce }, work))
  if (batch.length > 0) {
    // Texts, as in the rows that the log has already.
    const detail = Object.fromEntries(
      Object.entries(done).map(([outcome, count]) => [outcome, String(count)]),
    )
    const action = 'products.old_checkouts_ended'
    await recordAuditEvent(db, actor, { action, subject: product.name, subject_id: product_id, detail })
  }
  return { ...done, left: await countAtOldPrice(services, product_id) }
}

type AtOldPrice = Awaited<ReturnType<typeof selectAtOldPrice>>[number]

async function end(services: Services & { provider: Payments }, { id, session_id, attempt }: AtOldPrice) {
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
