// A product's picture: brought by the author, shown on the page.
import type { WithCatalogue } from './catalogue.ts'
import { eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { StoredFile } from '#platform/storage.ts'
import type { Transaction } from '#platform/db/client.ts'
import { products } from './schema.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { recordAuditEvent, type Actor } from '../audit/audit-log.ts'
import { checkPicture, type WithUploadReader } from '../ebooks/check.ts'
import { pictureExtensions, type PictureExtension } from '../ebooks/picture-extensions.ts'
import { giveUpFile, importFile } from '../ebooks/file-import.ts'

type Needs = Pick<Services, 'db' | 'storage' | 'uploads' | 'clock'> & WithUploadReader & WithCatalogue

const folder = 'covers/'

/** Throws products.not_found, uploads.not_found, uploads.not_a_picture, uploads.busy. */
export async function setCover(services: Needs, actor: Actor, id: string, upload_id: string): Promise<void> {
  await importFile(services, upload_id, {
    check: (path) => checkPicture(services.uploadReader, path),
    name: ({ extension }) => `${folder}${uuidv7()}.${extension}`,
    write: (tx, { file_path }) => changeCover(tx, services, actor, id, file_path),
  })
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
  cover_path: string | null,
): Promise<void> {
  const [before] = await tx.select().from(products).where(eq(products.id, id)).for('update')
  if (!before) throw new Problem('products.not_found')
  if (before.cover_path) await giveUpFile(tx, before.cover_path)
  await tx.update(products).set({ cover_path, updated_at: clock() }).where(eq(products.id, id))
  const action = cover_path ? 'products.cover_set' : 'products.cover_removed'
  await recordAuditEvent(tx, actor, { action, subject: before.name, subject_id: id })
}

/** What is stored under a name that only this file gives. Throws request.not_found. */
export async function openCover(
  { storage }: Pick<Services, 'storage'>,
  name: string,
): Promise<StoredFile & { file_path: string; extension: PictureExtension }> {
  const suffix = /^[0-9a-f-]{36}\.(\w+)$/.exec(name)?.[1]
  const extension = pictureExtensions.find((each) => each === suffix)
  const file_path = folder + name
  const found = extension && (await storage.stat(file_path))
  if (!found) throw new Problem('request.not_found')
  return { ...found, file_path, extension }
}
