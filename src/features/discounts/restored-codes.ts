// Discount codes in a shop that was restored from a backup: uses since then are known only where Stripe was paid.
import { and, desc, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import type { UsedCode } from '#platform/stripe/payments.ts'
import { products } from '../products/schema.ts'
import { discount_codes, discount_uses } from './schema.ts'

/** Those that leave nothing to pay of some product: Stripe never sees them. */
export async function pauseFreeCodes(db: Db, now: Date): Promise<void> {
  const isFree = sql`exists (select from ${products} p where p.price <= ${discount_codes.amount_off}
    and p.archived_at is null and (${discount_codes.product_id} is null or p.id = ${discount_codes.product_id}))`
  await db
    .update(discount_codes)
    .set({ paused_at: now })
    .where(and(isNull(discount_codes.ended_at), or(eq(discount_codes.percent, 100), isFree)))
}

/**
 * The use by a purchase that is made again; it counts also beyond the limit, as it was paid. Nothing where the backup does
 * not have the code.
 */
export async function restoreUse(
  tx: Transaction,
  { purchase_id, is_test }: { purchase_id: string; is_test: boolean },
  { code, code_id, discount }: UsedCode,
): Promise<void> {
  const isSame = sql<boolean>`${discount_codes.id}::text = ${code_id}`
  const [found] = await tx
    .select({ id: discount_codes.id })
    .from(discount_codes)
    .where(or(isSame, eq(discount_codes.code, code)))
    .orderBy(desc(isSame), isNotNull(discount_codes.ended_at), desc(discount_codes.created_at))
    .limit(1)
  if (!found) return
  const is_counted = !is_test
  await tx
    .update(discount_codes)
    .set({ uses: sql`${discount_codes.uses} + ${is_counted ? 1 : 0}` })
    .where(eq(discount_codes.id, found.id))
  await tx.insert(discount_uses).values({ purchase_id, code_id: found.id, discount, is_counted })
}
