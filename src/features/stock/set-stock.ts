// The author counts copies, or stops to.
import { eq } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { recordAuditEvent, type Actor } from '../audit/audit-log.ts'
import { products } from '../products/schema.ts'
import type { StockChange } from './contract/stock.ts'
import { stock } from './schema.ts'

export async function setStock(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  actor: Actor,
  product_id: string,
  { copies, seen }: StockChange,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [product] = await tx.select().from(products).where(eq(products.id, product_id)).for('no key update')
    if (!product) throw new Problem('products.not_found')
    if (product.format !== 'paperback' && product.format !== 'hardcover')
      throw new Problem('stock.not_on_paper')
    const before = await lockStock(tx, product_id)
    if (before !== seen) throw new Problem('stock.changed_meanwhile')
    if (copies === before) return
    const ofProduct = eq(stock.product_id, product_id)
    if (copies === null) await tx.delete(stock).where(ofProduct)
    else if (before === null) await tx.insert(stock).values({ product_id, copies })
    else await tx.update(stock).set({ copies, updated_at: clock() }).where(ofProduct)
    await recordAuditEvent(tx, actor, {
      action: 'products.stock_set',
      subject: product.name,
      subject_id: product_id,
      detail: { copies: { from: before, to: copies } },
    })
  })
}

/** Null where copies are not counted. */
async function lockStock(tx: Transaction, product_id: string): Promise<number | null> {
  const [row] = await tx.select().from(stock).where(eq(stock.product_id, product_id)).for('update')
  return row?.copies ?? null
}
