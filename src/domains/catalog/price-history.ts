// The prices at which products were for sale to the public, and how long. A product that is sold out counts as for sale: its
// price stands on the page.
import { sql } from 'drizzle-orm'
import { isSelling } from '#contract/catalog/products.ts'
import type { Transaction } from '#platform/db/client.ts'
import type { Services } from '#platform/services.ts'
import { product_prices } from '#tables/catalog.ts'
import { currentSaleMode, type OwnBook } from './sale-mode.ts'
import { isOnSale, lockCatalogue } from './product-sql.ts'

type PricedShop = Pick<Services, 'clock' | 'settings'> & OwnBook

/** Ends what is not offered any more, and begins what is offered now. Without a change it writes nothing. */
export async function recordPrices(tx: Transaction, shop: PricedShop): Promise<void> {
  const mode = await currentSaleMode(shop)
  const now = shop.clock()
  await lockCatalogue(tx)
  const price = mode === 'free' ? sql`0` : sql`products.price`
  const offered = sql`(
    select products.id as product_id, ${price}::numeric as price, shop_currency() as currency
    from products where ${isOnSale} and ${isSelling(mode)})`
  const isOver = sql`p.until is null and not exists (select from ${offered} o
    where o.product_id = p.product_id and o.price = p.price and o.currency = p.currency)`
  // A price of no length was never for sale; nor was one that begins later, by a clock that was wrong.
  await tx.execute(sql`delete from product_prices p where ${isOver} and p.since >= ${now}`)
  await tx.execute(sql`update product_prices p set until = ${now} where ${isOver}`)
  await tx.execute(sql`
    insert into product_prices (product_id, price, currency, since)
    select o.product_id, o.price, o.currency, ${now}::timestamptz from ${offered} o
    where not exists (select from product_prices p where p.product_id = o.product_id and p.until is null)
    on conflict (product_id, since) do update
    set price = excluded.price, currency = excluded.currency, until = null`)
}

/** Must be called after what is not a change of a product, as a key of Stripe that was set, and when a product loses its file. */
export async function updatePriceHistory(shop: PricedShop & Pick<Services, 'db'>): Promise<void> {
  await shop.db.transaction((tx) => recordPrices(tx, shop))
}

/** The sample was for sale to nobody, whatever an own book costs that takes its place. */
export async function forgetPrices(tx: Transaction): Promise<void> {
  await tx.delete(product_prices)
}
