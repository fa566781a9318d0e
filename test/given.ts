// States that a test begins with, reached by the shop's own functions. Rows that no function makes are in factories.ts.
import type { Actor } from '#platform/audit-log.ts'
import { addDiscount } from '#domains/orders/discounts.ts'
import { settlePurchase } from '#domains/payments/settle.ts'
import { changeProduct } from '#domains/catalog/change-products.ts'
import type { PurchaseMade } from '#contract/orders/purchases.ts'
import type { PurchaseStatus } from '#contract/orders/purchase-status.ts'
import { stock } from '#tables/catalog.ts'
import { setStock } from '#domains/catalog/stock.ts'
import type { StripeStandIn } from '@lectern/stripe-stand-in'
import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { buy, sessionOf } from './paying.ts'
import type { TestShop } from './shop.ts'
import type { Person } from './users.ts'

const author: Actor = { id: null, email: 'author@example.com', ip: null }

type GivenPurchase = { status?: PurchaseStatus; format?: string; person?: Person }
type GivenCode = Partial<Parameters<typeof addDiscount>[2]> & { code: string }

/** Visitors see the price when it resolves. */
async function price(shop: TestShop, format: string, dollars: number): Promise<void> {
  const { id } = await shop.product(format)
  await changeProduct(shop.services, author, id, { price: dollars })
  await expect.poll(async () => (await shop.product(format)).price).toBe(dollars)
}

/** As the author counts them. */
async function copies(shop: TestShop, format: string, count: number): Promise<void> {
  const { id } = await shop.product(format)
  const [row] = await shop.services.db.select().from(stock).where(eq(stock.product_id, id))
  await setStock(shop.services, author, id, { copies: count, seen: row?.copies ?? null })
}

/** Takes off ten percent unless said otherwise. */
function code(shop: TestShop, wanted: GivenCode): Promise<void> {
  return addDiscount(shop.services, author, { ...(!wanted.amount_off && { percent: 10 }), ...wanted })
}

/** All who are signed in have given their password so long ago, as PostgreSQL writes an interval: `25 hours`. */
async function passwordsGiven({ services }: TestShop, ago: string): Promise<void> {
  await services.database.pool.query('update auth.sessions set proved_at = now() - $1::interval', [ago])
}

/** Where money is taken: bought at the stand-in, and brought into this state as Stripe, its buyer or the author would. */
async function purchase(
  shop: TestShop,
  stripe: StripeStandIn,
  { status = 'completed', format, person }: GivenPurchase = {},
): Promise<PurchaseMade & { person: Person }> {
  const buyer = person ?? (await shop.person())
  const made = await buy(shop, buyer, format)
  const { id } = made
  const session = sessionOf(stripe, id)
  const changes: Record<PurchaseStatus, () => unknown> = {
    pending: () => undefined,
    completed: () => stripe.pay(session.id),
    canceled: () => stripe.expire(session.id),
    refunded: () => stripe.refund(paid()),
    partially_refunded: () => stripe.refund(paid(), 100),
    disputed: () => (paid(), stripe.dispute(session.id)),
  }
  function paid(): string {
    stripe.pay(session.id)
    return session.payment_intent as string
  }
  changes[status]()
  expect(await settlePurchase(shop.services, id)).toBe(status)
  return { ...made, person: buyer }
}

export const given = { price, copies, code, passwordsGiven, purchase }
