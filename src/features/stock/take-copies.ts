// Takes copies out of stock for a purchase. The rows are locked, so that the last copy is sold once.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Transaction } from '#platform/db/client.ts'
import { queryAll } from '#platform/db/query.ts'

/** Whether copies of it, or of a part of it, are counted, for the row of products around it. */
export const isCounted = sql`exists (select from stock s where s.product_id in (select copies_of(products)))`

const stockRow = z.object({ product_id: z.string(), copies: z.number() })

/**
 * Takes every counted copy that the purchase needs and has not taken yet, or none: false when one of them is sold out.
 * A test order takes none: no parcel leaves for it.
 * The rows are locked in one order, so that two bundles do not deadlock.
 */
export async function takeCopies(tx: Transaction, purchase_id: string): Promise<boolean> {
  const needed = await queryAll(
    tx,
    stockRow,
    sql`
    select s.product_id, s.copies from stock s
    where s.product_id in (
        select copies_of(products) from products join purchases b on b.product_id = products.id
        where b.id = ${purchase_id} and not b.is_test)
      and not exists (
        select from taken_copies t where t.purchase_id = ${purchase_id} and t.product_id = s.product_id)
    order by s.product_id for update of s`,
  )
  if (needed.length === 0) return true
  if (needed.some(({ copies }) => copies === 0)) return false
  const ids = sql`${sql.param(needed.map(({ product_id }) => product_id))}::uuid[]`
  await tx.execute(sql`
    update stock set copies = copies - 1, updated_at = now() where product_id = any(${ids})`)
  await tx.execute(sql`
    insert into taken_copies (purchase_id, product_id) select ${purchase_id}, unnest(${ids})`)
  return true
}
