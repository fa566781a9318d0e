// A product's picture: brought by the author, shown on the page.
import { buffer } from 'node:stream/consumers'
import { and, eq, isNotNull } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { recordAuditEvent, type Actor } from '../audit/audit-log.ts'
import { insertUnsettled } from '../ebooks/file-import.ts'
import { addPicture, importPicture } from '../pictures/add-picture.ts'
import type { WithPictureReader } from '../pictures/picture-reader.ts'
import type { WithCatalogue } from './catalogue.ts'
import { products } from './schema.ts'

type Needs = Pick<Services, 'db' | 'storage' | 'uploads' | 'clock'> & WithPictureReader & WithCatalogue

export async function setCover(services: Needs, actor: Actor, id: string, upload_id: string): Promise<void> {
  await importPicture(services, upload_id, (tx, picture) => changeCover(tx, services, actor, id, picture.id))
  await services.catalogue.refresh()
}

export async function removeCover(
  services: Pick<Needs, 'db' | 'clock' | 'catalogue'>,
  actor: Actor,
  id: string,
): Promise<void> {
  await services.db.transaction((tx) => changeCover(tx, services, actor, id, null))
  await services.catalogue.refresh()
}

async function changeCover(
  tx: Transaction,
  { clock }: Pick<Needs, 'clock'>,
  actor: Actor,
  id: string,
  cover_id: string | null,
): Promise<void> {
  const [before] = await tx.select().from(products).where(eq(products.id, id)).for('update')
  if (!before) throw new Problem('products.not_found')
  if (before.cover_path) await insertUnsettled(tx, [before.cover_path])
  await tx
    .update(products)
    .set({ cover_id, cover_path: null, updated_at: clock() })
    .where(eq(products.id, id))
  const action = cover_id ? 'products.cover_set' : 'products.cover_removed'
  await recordAuditEvent(tx, actor, { action, subject: before.name, subject_id: id })
}

/**
 * Covers of older versions become pictures. One that does not stays stored and is tried again an hour later: browsers
 * have shown pictures that are not taken today, and a reading may have failed for a reason that passes.
 */
export async function convertCovers(services: Needs & Pick<Services, 'log'>): Promise<void> {
  const { db, storage, log, catalogue } = services
  const old = await db
    .select({ id: products.id, cover_path: products.cover_path })
    .from(products)
    .where(isNotNull(products.cover_path))
  for (const { id, cover_path } of old) {
    if (!cover_path) continue
    try {
      const content = await buffer(await storage.read(cover_path))
      await addPicture(services, content, (tx, { id: cover_id }) =>
        replaceCover(tx, { id, cover_path, cover_id }),
      )
      catalogue.drop()
    } catch (error) {
      log.warn({ err: error, product: id }, 'a cover of an older version is not converted yet')
    }
  }
}

/** Unless it was changed meanwhile: the new picture then is swept away. */
async function replaceCover(
  tx: Transaction,
  { id, cover_path, cover_id }: { id: string; cover_path: string; cover_id: string },
): Promise<void> {
  const { rowCount } = await tx
    .update(products)
    .set({ cover_id, cover_path: null })
    .where(and(eq(products.id, id), eq(products.cover_path, cover_path)))
  if (rowCount) await insertUnsettled(tx, [cover_path])
}
