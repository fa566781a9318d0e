import { sql } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import { discount_codes } from '#tables/discounts.ts'

export async function roundAmounts(db: Db | Transaction): Promise<void> {
  const { amount_off } = discount_codes
  const rounded = sql`greatest(1, round(${amount_off}))`
  await db
    .update(discount_codes)
    .set({ amount_off: rounded })
    .where(sql`${amount_off} <> round(${amount_off})`)
}
