// What was given, newest first.
import { desc, eq, sql } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import { discount_codes } from '../discounts/schema.ts'
import { products } from '../products/schema.ts'
import type { Gift } from './contract/gifts.ts'
import { gifts } from './schema.ts'

const mostListed = 100

export async function listGifts(db: Db): Promise<Gift[]> {
  const { id, email, purchase_id, code_id, created_at } = gifts
  const present = sql<string>`coalesce(${products.name}, ${discount_codes.code})`
  const rows = await db
    .select({ id, email, purchase_id, code_id, created_at, present })
    .from(gifts)
    .leftJoin(products, eq(products.id, gifts.product_id))
    .leftJoin(discount_codes, eq(discount_codes.id, gifts.code_id))
    .orderBy(desc(created_at), desc(id))
    .limit(mostListed)
  return rows.map(({ code_id: code, created_at: time, ...row }) => ({
    ...row,
    kind: code ? 'code' : 'copy',
    created_at: time.toISOString(),
  }))
}
