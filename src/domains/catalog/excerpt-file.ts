// The file of the excerpt: the author uploads, replaces and removes it. No product has it.
import { stat } from 'node:fs/promises'
import { and, eq, gt, isNull } from 'drizzle-orm'
import { excerptFormats, maxExcerptMegabytes } from '#contract/catalog/excerpt-file.ts'
import { checkEbook, repairEbook } from '#domains/files/ebook-reader.ts'
import { importFile, insertUnsettled } from '#domains/files/file-import.ts'
import type { CheckedEbook } from '#domains/files/read-upload.ts'
import type { RequestReader } from '#domains/files/request-reader.ts'
import { recordAuditEvent, type Actor } from '#platform/audit-log.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { hashContent, isIntact, storedName } from '#platform/storage.ts'
import { excerpt_file, product_files, products } from '#tables/catalog.ts'
import { lockCatalogue } from './product-sql.ts'
import { isFileOwned } from './products.ts'
import { catalogProblem, type CatalogShop } from './shop.ts'

export type StoredExcerpt = typeof excerpt_file.$inferSelect

export async function findExcerpt(db: Db | Transaction): Promise<StoredExcerpt | undefined> {
  const [file] = await db.select().from(excerpt_file)
  return file
}

/** Returns the product that sells the same content. Only files of the same size are read. */
export async function findSoldAs(
  { db, storage }: Pick<CatalogShop, 'db' | 'storage'>,
  { file_path, file_size }: StoredExcerpt,
): Promise<string | undefined> {
  const sold = await db
    .select({ product: products.name, name: product_files.file_path })
    .from(product_files)
    .innerJoin(products, eq(products.id, product_files.product_id))
    .where(and(eq(product_files.file_size, file_size), gt(products.price, 0n), isNull(products.archived_at)))
  if (sold.length === 0 || !(await storage.stat(file_path))) return undefined
  const sha256 = await hashContent(storage, file_path)
  for (const { product, name } of sold)
    if (await isIntact(storage, { name, size: file_size, sha256 })) return product
  return undefined
}

/** Replaces the excerpt that there is; links in emails lead to the new one. */
export async function saveExcerpt(services: CatalogShop, actor: Actor, upload_id: string): Promise<void> {
  const { uploadReader, clock } = services
  await importFile(services, upload_id, {
    check: checkExcerpt,
    repair: (path, { signal }) => repairEbook(uploadReader, path, signal),
    name: ({ file_format }, now) => storedName(now, 'excerpt', file_format),
    isOwned: isFileOwned,
    async insert(tx, file) {
      await lockCatalogue(tx)
      await deleteExcerpt(tx)
      await tx.insert(excerpt_file).values({ ...file, created_at: clock() })
      const { file_format, file_size } = file
      const detail = { file_format, file_size }
      await recordAuditEvent(tx, actor, { action: 'excerpt.saved', subject: 'the excerpt', detail })
    },
  })
}

async function checkExcerpt(path: string, file_name: string, request: RequestReader) {
  const { size } = await stat(path)
  if (size > maxExcerptMegabytes * 1024 * 1024) throw catalogProblem('excerpt.too_large')
  const { file_format, findings }: CheckedEbook = await checkEbook(request, path, file_name)
  const format = excerptFormats.find((each) => each === file_format)
  if (!format) throw catalogProblem('excerpt.other_format')
  return { file_format: format, findings }
}

export async function removeExcerpt({ db }: CatalogShop, actor: Actor): Promise<void> {
  await db.transaction(async (tx) => {
    await lockCatalogue(tx)
    if (!(await deleteExcerpt(tx))) return
    await recordAuditEvent(tx, actor, { action: 'excerpt.removed', subject: 'the excerpt' })
  })
}

/** The file stays for a day, for downloads and a backup that are under way. Returns whether there was one. */
async function deleteExcerpt(tx: Transaction): Promise<boolean> {
  const rows = await tx.delete(excerpt_file).returning({ file_path: excerpt_file.file_path })
  await insertUnsettled(
    tx,
    rows.map(({ file_path }) => file_path),
  )
  return rows.length > 0
}
