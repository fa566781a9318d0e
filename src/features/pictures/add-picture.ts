// Storing a picture: all its renditions and its row, or nothing that stays.
import { inArray } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { Transaction } from '#platform/db/client.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { recordAuditEvent, type Actor } from '../audit/audit-log.ts'
import { insertUnsettled, deleteUnsettled, takeUpload } from '../ebooks/file-import.ts'
import type { Picture } from './contract/pictures.ts'
import { readRenditions, type WithPictureReader } from './picture-reader.ts'
import { pictures } from './schema.ts'

type Needs = Pick<Services, 'db' | 'storage'> & WithPictureReader

/** `write` gives the picture to its owner. One without an owner is deleted a day later. */
type Write = (tx: Transaction, picture: Picture) => Promise<void>

/** `source` is a file's path or its content. */
export async function addPicture(
  { db, storage, pictureReader }: Needs,
  source: string | Uint8Array,
  write: Write,
): Promise<Picture> {
  const { width, height, files } = await readRenditions({ pictureReader }, source)
  const picture = { id: uuidv7(), width, height }
  const stored = files.map(({ name, bytes }) => ({ path: fileOf(picture.id, name), bytes }))
  const paths = stored.map(({ path }) => path)
  await insertUnsettled(db, paths)
  for (const { path, bytes } of stored) await storage.write(path, bytes)
  await db.transaction(async (tx) => {
    await tx.insert(pictures).values({ ...picture, renditions: files.map(({ name }) => name) })
    await write(tx, picture)
    await deleteUnsettled(tx, paths)
  })
  return picture
}

/** Throws uploads.not_found and what addPicture throws; the upload then stays. */
export async function importPicture(
  services: Needs & Pick<Services, 'uploads'>,
  upload_id: string,
  write: Write,
): Promise<Picture> {
  return takeUpload(services.uploads, upload_id, ({ path }) => addPicture(services, path, write))
}

/** For use in a document that is not saved yet. */
export function uploadPicture(
  services: Needs & Pick<Services, 'uploads'>,
  actor: Actor,
  upload_id: string,
): Promise<Picture> {
  return importPicture(services, upload_id, (tx, { id, width, height }) =>
    recordAuditEvent(tx, actor, {
      action: 'pictures.added',
      subject: `${width} × ${height} pixels`,
      subject_id: id,
    }),
  )
}

/** Keeps pictures from being swept away until the transaction that refers to them ends. */
export async function holdPictures(tx: Transaction, ids: readonly string[]): Promise<void> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return
  const found = await tx
    .select({ id: pictures.id })
    .from(pictures)
    .where(inArray(pictures.id, wanted))
    // As sweepPictures locks them.
    .orderBy(pictures.id)
    .for('key share')
  if (found.length < wanted.length) throw new Problem('pictures.not_found')
}

export function fileOf(id: string, rendition: string): string {
  return `pictures/${id}/${rendition}`
}
