import { eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { catalogProblem } from './problem.ts'
import type { Services } from '#platform/services.ts'
import type { Transaction } from '#platform/db/client.ts'
import { queryAll } from '#platform/db/query.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import { isOnPaper } from '#contract/catalog/products.ts'
import { products } from '#tables/catalog.ts'
import type { StockChange } from '#contract/catalog/admin-products.ts'
import { stock } from '#tables/catalog.ts'

export async function setStock(services: Services, actor: Actor, product_id: string, change: StockChange) {
  const { db, clock } = services
  const { copies, seen } = change
  await db.transaction(async (tx) => {
    const [product] = await tx.select().from(products).where(eq(products.id, product_id)).for('no key update')
    if (!product) throw catalogProblem('products.not_found')
    if (!isOnPaper(product.format)) throw catalogProblem('stock.not_on_paper')
    const ofProduct = eq(stock.product_id, product_id)
    const [row] = await tx.select().from(stock).where(ofProduct).for('update')
    const before = row?.copies ?? null
    if (before !== seen) throw catalogProblem('stock.changed_meanwhile')
    if (copies === before) return
    if (copies === null) await tx.delete(stock).where(ofProduct)
    else if (before === null) await tx.insert(stock).values({ product_id, copies })
    else await tx.update(stock).set({ copies, updated_at: clock() }).where(ofProduct)
    const event = { action: 'products.stock_set', subject: product.name, subject_id: product_id } as const
    await recordAuditEvent(tx, actor, { ...event, detail: { copies: { from: before, to: copies } } })
  })
}

/** For a row of products: whether copies of it, or of a part of it, are counted. */
export const isCounted = sql`exists (select from stock s where s.product_id in (select copies_of(products)))`

const stockRow = z.object({ product_id: z.string(), copies: z.number() })

/** Takes all counted copies that the purchase still needs, or none: false when one is sold out. Test orders take none. */
export async function takeCopies(tx: Transaction, purchase_id: string): Promise<boolean> {
  // Locked in one order, so that two bundles do not deadlock.
  const query = sql`
    select s.product_id, s.copies from stock s
    where s.product_id in (
        select copies_of(products) from products join purchases b on b.product_id = products.id
        where b.id = ${purchase_id} and not b.is_test)
      and not exists (
        select from taken_copies t where t.purchase_id = ${purchase_id} and t.product_id = s.product_id)
    order by s.product_id for update of s`
  const needed = await queryAll(tx, stockRow, query)
  if (needed.length === 0) return true
  if (needed.some(({ copies }) => copies === 0)) return false
  const ids = sql`${sql.param(needed.map(({ product_id }) => product_id))}::uuid[]`
  await tx.execute(sql`
    update stock set copies = copies - 1, updated_at = now() where product_id = any(${ids})`)
  await tx.execute(sql`
    insert into taken_copies (purchase_id, product_id) select ${purchase_id}, unnest(${ids})`)
  return true
}
