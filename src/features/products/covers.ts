// A product's picture: brought by the author, shown on the page.
import { buffer } from 'node:stream/consumers'
import { and, eq, isNotNull } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { recordAuditEvent, type Actor } from '../audit/audit-log.ts'
import { giveUpFiles } from '../ebooks/file-import.ts'
import { addPicture, importPicture } from '../pictures/add-picture.ts'
import type { WithPictureReader } from '../pictures/picture-reader.ts'
import type { WithCatalogue } from './catalogue.ts'
import { products } from './schema.ts'

type Needs = Pick<Services, 'db' | 'storage' | 'uploads' | 'clock'> & WithPictureReader & WithCatalogue

/** Throws products.not_found, uploads.not_found, uploads.not_a_picture, uploads.busy. */
export async function setCover(services: Needs, actor: Actor, id: string, upload_id: string): Promise<void> {
  await importPicture(services, upload_id, (tx, picture) => changeCover(tx, services, actor, id, picture.id))
  services.catalogue.drop()
}

/** Throws products.not_found. */
export async function removeCover(
  services: Pick<Needs, 'db' | 'clock' | 'catalogue'>,
  actor: Actor,
  id: string,
): Promise<void> {
  await services.db.transaction((tx) => changeCover(tx, services, actor, id, null))
  services.catalogue.drop()
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
  if (before.cover_path) await giveUpFiles(tx, [before.cover_path])
  await tx
    .update(products)
    .set({ cover_id, cover_path: null, updated_at: clock() })
    .where(eq(products.id, id))
  const action = cover_id ? 'products.cover_set' : 'products.cover_removed'
  await recordAuditEvent(tx, actor, { action, subject: before.name, subject_id: id })
}

/** Covers of older versions become pictures. One that cannot be decoded no browser has shown: it goes. */
export async function convertCovers(services: Needs & Pick<Services, 'log'>): Promise<void> {
  const { db, storage, log, catalogue } = services
  const old = await db
    .select({ id: products.id, cover_path: products.cover_path })
    .from(products)
    .where(isNotNull(products.cover_path))
  for (const { id, cover_path } of old) {
    if (!cover_path) continue
    const change = (tx: Transaction, cover_id: string | null) =>
      replaceCover(tx, { id, cover_path, cover_id })
    try {
      const content = await buffer(await storage.read(cover_path))
      await addPicture(services, content, (tx, picture) => change(tx, picture.id))
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'uploads.not_a_picture')) throw error
      log.warn({ err: error, product: id }, 'a cover is no picture, and is removed')
      await db.transaction((tx) => change(tx, null))
    }
    catalogue.drop()
  }
}

/** Unless it was changed meanwhile: the new picture then is swept away. */
async function replaceCover(
  tx: Transaction,
  { id, cover_path, cover_id }: { id: string; cover_path: string; cover_id: string | null },
): Promise<void> {
  const { rowCount } = await tx
    .update(products)
    .set({ cover_id, cover_path: null })
    .where(and(eq(products.id, id), eq(products.cover_path, cover_path)))
  if (rowCount) await giveUpFiles(tx, [cover_path])
}
