// Products that the author is done with: out of the way, never sold, and kept by those who bought them.
import { eq } from 'drizzle-orm'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { recordAuditEvent, type Actor } from '../audit/audit-log.ts'
import type { WithCatalogue } from './catalogue.ts'
import { products } from './schema.ts'

/** One that comes back stays hidden until the author shows it. */
export async function setArchived(
  { db, clock, catalogue }: Pick<Services, 'db' | 'clock'> & WithCatalogue,
  actor: Actor,
  id: string,
  isArchived: boolean,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [before] = await tx.select().from(products).where(eq(products.id, id)).for('update')
    if (!before) throw new Problem('products.not_found')
    if ((before.archived_at !== null) === isArchived) return
    const now = clock()
    await tx
      .update(products)
      .set({ archived_at: isArchived ? now : null, is_for_sale: false, updated_at: now })
      .where(eq(products.id, id))
    const action = isArchived ? 'products.archived' : 'products.unarchived'
    await recordAuditEvent(tx, actor, { action, subject: before.name, subject_id: id })
  })
  await catalogue.refresh()
}
