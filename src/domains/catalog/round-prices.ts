import { sql } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import { products } from '#tables/products.ts'

/** Nothing becomes free. What was sold before stays as it was. */
export async function roundPrices(db: Db | Transaction): Promise<void> {
  const { price } = products
  const rounded = sql`greatest(1, round(${price}))`
  await db
    .update(products)
    .set({ price: rounded })
    .where(sql`${price} <> round(${price})`)
}
