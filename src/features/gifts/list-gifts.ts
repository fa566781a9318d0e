// What was given, newest first.
import { desc, eq, sql } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import { discount_codes } from '../discounts/schema.ts'
import { products } from '../products/schema.ts'
import { maxListedGifts, type Gift } from './contract/gifts.ts'
import { gifts } from './schema.ts'

export async function listGifts(db: Db): Promise<Gift[]> {
  const { id, email, purchase_id, code_id, created_at } = gifts
  const present = sql<string>`coalesce(${products.name}, ${discount_codes.code})`
  const rows = await db
    .select({ id, email, purchase_id, code_id, created_at, present })
    .from(gifts)
    .leftJoin(products, eq(products.id, gifts.product_id))
    .leftJoin(discount_codes, eq(discount_codes.id, gifts.code_id))
    .orderBy(desc(created_at), desc(id))
    .limit(maxListedGifts)
  return rows.map(toGift)
}

type GiftRow = Omit<Gift, 'kind' | 'created_at'> & { code_id: string | null; created_at: Date }

function toGift({ code_id, created_at, ...row }: GiftRow): Gift {
  return { ...row, kind: code_id ? 'code' : 'copy', created_at: created_at.toISOString() }
}
