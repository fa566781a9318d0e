// The stock of products on paper: set by the author, and taken from by purchases.
import { eq, sql } from 'drizzle-orm'
import { catalogProblem, type CatalogShop } from './shop.ts'
import type { Transaction } from '#platform/db/client.ts'
import { type Actor, recordAuditEvent } from '#platform/audit-log.ts'
import type { StockChange } from '#contract/catalog/products.ts'
import { isOnPaper } from '#contract/catalog/formats.ts'
import { products, stock } from '#tables/catalog.ts'

export async function setStock(services: CatalogShop, actor: Actor, product_id: string, change: StockChange) {
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

/** Takes a row of products: copies of it, or of a part of it, are counted. */
export const isCounted = sql`exists (select from stock s where s.product_id in (select copies_of(products)))`

/** Takes one copy of each product; its row is locked. */
export async function takeFromStock(tx: Transaction, product_ids: readonly string[]): Promise<void> {
  await tx.execute(sql`
    update stock set copies = copies - 1, updated_at = now()
    where product_id = any(${sql.param(product_ids)}::uuid[])`)
}
