import { buffer } from 'node:stream/consumers'
import { and, eq, isNotNull } from 'drizzle-orm'
import type { Services } from '#platform/services.ts'
import type { Transaction } from '#platform/db/client.ts'
import type { Actor } from '#platform/audit-log.ts'
import { insertUnsettled } from '#domains/files/file-import.ts'
import { addPicture, importPicture } from '#domains/files/pictures.ts'
import type { WithPictureReader } from '#domains/files/picture-reader.ts'
import type { WithCatalogue } from './catalogue.ts'
import { changeCatalogue, lockProduct, recordProductEvent } from './change-products.ts'
import { products } from '#tables/products.ts'

type Needs = Services & WithPictureReader & WithCatalogue

export async function setCover(services: Needs, actor: Actor, id: string, upload_id: string): Promise<void> {
  await importPicture(services, upload_id, (tx, picture) => updateCover(tx, services, actor, id, picture.id))
  await services.catalogue.refresh()
}

export async function removeCover(services: Needs, actor: Actor, id: string): Promise<void> {
  await changeCatalogue(services, (tx) => updateCover(tx, services, actor, id, null))
}

async function updateCover(
  tx: Transaction,
  { clock }: Needs,
  actor: Actor,
  id: string,
  cover_id: string | null,
) {
  const before = await lockProduct(tx, id)
  if (before.cover_path) await insertUnsettled(tx, [before.cover_path])
  const set = { cover_id, cover_path: null, updated_at: clock() }
  await tx.update(products).set(set).where(eq(products.id, id))
  const action = cover_id ? 'products.cover_set' : 'products.cover_removed'
  await recordProductEvent(tx, actor, before, { action })
}

/** Covers of older versions become pictures. One that cannot be read today is tried again an hour later. */
export async function convertCovers(services: Needs): Promise<void> {
  const { db, storage, log, catalogue } = services
  const old = await db
    .select({ id: products.id, cover_path: products.cover_path })
    .from(products)
    .where(isNotNull(products.cover_path))
  for (const { id, cover_path } of old) {
    if (!cover_path) continue
    try {
      const content = await buffer(await storage.read(cover_path))
      await addPicture(services, content, async (tx, { id: cover_id }) => {
        const isUnchanged = and(eq(products.id, id), eq(products.cover_path, cover_path))
        const { rowCount } = await tx.update(products).set({ cover_id, cover_path: null }).where(isUnchanged)
        if (rowCount) await insertUnsettled(tx, [cover_path])
      })
      catalogue.drop()
    } catch (error) {
      log.warn({ err: error, product: id }, 'a cover of an older version is not converted yet')
    }
  }
}
