// Changing what a bundle holds.
import type { WithCatalogue } from './catalogue.ts'
import { and, eq, inArray, ne } from 'drizzle-orm'
import { bundle_items, products } from './schema.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { recordAuditEvent, type Actor } from '../audit/audit-log.ts'
import { lockCatalogue, setIsDigital } from './delivery.ts'

/** Owners have the new parts, and no longer the ones left out, from now on. */
export async function setParts(
  { db, clock, catalogue }: Pick<Services, 'db' | 'clock'> & WithCatalogue,
  actor: Actor,
  bundle_id: string,
  ids: readonly string[],
): Promise<void> {
  const wanted = [...new Set(ids)]
  await db.transaction(async (tx) => {
    await lockCatalogue(tx)
    const [bundle] = await tx.select().from(products).where(eq(products.id, bundle_id)).for('update')
    if (!bundle) throw new Problem('products.not_found')
    const parts = await tx
      .select({ id: products.id, name: products.name })
      .from(products)
      .where(and(inArray(products.id, wanted), ne(products.format, 'bundle')))
    if (bundle.format !== 'bundle' || parts.length < wanted.length) throw new Problem('products.not_a_bundle')
    await tx.delete(bundle_items).where(eq(bundle_items.bundle_id, bundle_id))
    if (wanted.length > 0)
      await tx.insert(bundle_items).values(wanted.map((product_id) => ({ bundle_id, product_id })))
    await setIsDigital(tx, bundle_id)
    await tx.update(products).set({ updated_at: clock() }).where(eq(products.id, bundle_id))
    const detail = { parts: parts.map(({ name }) => name) }
    await recordAuditEvent(tx, actor, {
      action: 'products.parts_set',
      subject: bundle.name,
      subject_id: bundle_id,
      detail,
    })
  })
  await catalogue.refresh()
}
