// Files that a restore went on without: their products are not for sale until each is uploaded or put back. A lost excerpt
// is not offered any more.
import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { CatalogShop } from './shop.ts'
import type { Db } from '#platform/db/client.ts'
import { isIntact } from '#platform/storage.ts'
import { excerpt_file, product_files, products } from '#tables/catalog.ts'

type LostFile = { name: string; sha256: string }

export async function saveLostFiles(db: Db, lost: readonly LostFile[], now: Date): Promise<void> {
  for (const { name, sha256 } of lost) {
    const set = { lost_at: now, lost_sha256: sha256 }
    await db.update(product_files).set(set).where(eq(product_files.file_path, name))
    await db.delete(excerpt_file).where(eq(excerpt_file.file_path, name))
    const [, picture] = /^pictures\/([0-9a-f-]{36})\//.exec(name) ?? []
    if (picture) await db.update(products).set({ cover_id: null }).where(eq(products.cover_id, picture))
  }
}

export async function findReturnedFiles({ db, storage }: CatalogShop): Promise<void> {
  const { id, file_path, file_size, lost_sha256 } = product_files
  const lost = await db
    .select({ id, name: file_path, size: file_size, sha256: lost_sha256 })
    .from(product_files)
    .where(and(isNotNull(product_files.lost_at), isNotNull(lost_sha256)))
  const returned: string[] = []
  for (const { id, name, size, sha256 } of lost)
    if (size !== null && sha256 !== null && (await isIntact(storage, { name, size, sha256 })))
      returned.push(id)
  if (returned.length === 0) return
  const set = { lost_at: null, lost_sha256: null }
  await db.update(product_files).set(set).where(inArray(product_files.id, returned))
}
