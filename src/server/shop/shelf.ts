// The author's hand on the products. What was paid before never changes; a file, once sold, stays.
import { eq, inArray, sql } from 'drizzle-orm'
import { createReadStream } from 'node:fs'
import { v7 as uuidv7 } from 'uuid'
import type { NewProduct, ProductChange, ShelfProduct } from '#contract/shelf.ts'
import { storedName } from '../stored-name.ts'
import type { Db, Transaction } from '../db/client.ts'
import { product_files, products, unsettled_files } from '../db/schema/shop.ts'
import { Problem } from '../problem.ts'
import type { Services } from '../services.ts'
import { recordDeed, type Actor } from './audit.ts'
import { checkEbook, type CheckedEbook } from './ebooks/check.ts'

type Needs = Pick<Services, 'db' | 'storage' | 'uploads' | 'clock' | 'catalogue'>

/** In the order of the page. */
export async function listShelf(db: Db, only?: string): Promise<ShelfProduct[]> {
  const { rows } = await db.execute<ShelfProduct>(sql`
    select p.id, p.name, p.description, p.price, p.format, p.is_digital, p.is_for_sale, p.created_at, p.updated_at,
      (select coalesce(sum(purchases), 0) from sales_day where product_id = p.id) as sold,
      (
        select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'file_format', f.file_format, 'file_size', f.file_size,
          'findings', f.findings, 'created_at', f.created_at) order by f.created_at desc, f.id desc), '[]')
        from product_files f where f.product_id = p.id
      ) as editions
    from products p where ${only ? sql`p.id = ${only}` : sql`true`}
    order by p.position nulls last, p.price, p.id`)
  return rows.map(toShelfProduct)
}

function toShelfProduct(row: ShelfProduct): ShelfProduct {
  return { ...row, created_at: iso(row.created_at), updated_at: iso(row.updated_at) }
}

const iso = (moment: string) => new Date(moment).toISOString()

/** Throws products.not_found. */
export async function getShelfProduct(db: Db, id: string): Promise<ShelfProduct> {
  const [product] = await listShelf(db, id)
  if (!product) throw new Problem('products.not_found')
  return product
}

/**
 * The product and its file, or neither. Throws uploads.not_found, uploads.not_an_ebook; the upload then stays, to be
 * tried again.
 */
export async function addProduct(
  services: Needs,
  actor: Actor,
  { upload_id, ...fields }: NewProduct,
): Promise<string> {
  const id = uuidv7()
  const write = async (tx: Transaction, file?: StoredEdition) => {
    await tx.insert(products).values({ id, ...fields, file_path: file?.file_path ?? null })
    if (file) await insertEdition(tx, id, file)
    const detail = { price: fields.price, format: fields.format, findings: file?.findings }
    await recordDeed(tx, actor, { action: 'products.added', subject: fields.name, subject_id: id, detail })
  }
  if (upload_id) await withEdition(services, upload_id, fields.name, write)
  else await services.db.transaction((tx) => write(tx))
  services.catalogue.drop()
  return id
}

/** Owners get it from now on; the old one stays. Throws products.not_found and what addProduct throws. */
export async function addEdition(
  services: Needs,
  actor: Actor,
  id: string,
  upload_id: string,
): Promise<void> {
  const { name } = await getShelfProduct(services.db, id)
  await withEdition(services, upload_id, name, async (tx, file) => {
    await insertEdition(tx, id, file)
    await tx
      .update(products)
      .set({ file_path: file.file_path, is_digital: true, updated_at: services.clock() })
      .where(eq(products.id, id))
    const detail = { file_format: file.file_format, findings: file.findings }
    await recordDeed(tx, actor, { action: 'products.edition_added', subject: name, subject_id: id, detail })
  })
}

/** Throws products.not_found. */
export async function changeProduct(
  { db, clock, catalogue }: Pick<Services, 'db' | 'clock' | 'catalogue'>,
  actor: Actor,
  id: string,
  change: ProductChange,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [before] = await tx.select().from(products).where(eq(products.id, id)).for('update')
    if (!before) throw new Problem('products.not_found')
    await tx
      .update(products)
      .set({ ...change, updated_at: clock() })
      .where(eq(products.id, id))
    const detail = Object.fromEntries(
      Object.entries(change).map(([field, to]) => [
        field,
        { from: before[field as keyof typeof before], to },
      ]),
    )
    await recordDeed(tx, actor, { action: 'products.changed', subject: before.name, subject_id: id, detail })
  })
  // Other processes hear of it in a moment; this one must know it before it answers.
  catalogue.drop()
}

/** Throws products.not_found when one of them does not exist. */
export async function orderShelf(
  { db, catalogue }: Pick<Services, 'db' | 'catalogue'>,
  actor: Actor,
  ids: readonly string[],
): Promise<void> {
  await db.transaction(async (tx) => {
    const found = await tx
      .select({ id: products.id })
      .from(products)
      .where(inArray(products.id, [...ids]))
      .for('update')
    if (found.length !== new Set(ids).size) throw new Problem('products.not_found')
    for (const [position, id] of ids.entries())
      await tx.update(products).set({ position }).where(eq(products.id, id))
    await recordDeed(tx, actor, {
      action: 'products.ordered',
      subject: 'the order on the page',
      detail: { ids },
    })
  })
  catalogue.drop()
}

type StoredEdition = CheckedEbook & { file_path: string; file_size: number }

/**
 * Checks an upload, stores it, and lets `write` make it somebody's, in one transaction. Whatever goes wrong, even the
 * end of the process, leaves either all of it or a name in unsettled_files, to be swept away.
 */
async function withEdition(
  { db, storage, uploads, clock }: Needs,
  upload_id: string,
  title: string,
  write: (tx: Transaction, file: StoredEdition) => Promise<void>,
): Promise<void> {
  const upload = await uploads.claim(upload_id)
  try {
    const checked = await checkEbook(upload.path, upload.file_name)
    const file_path = await reserveName(db, clock(), title, checked.file_format)
    await storage.write(file_path, createReadStream(upload.path))
    await db.transaction(async (tx) => {
      await write(tx, { ...checked, file_path, file_size: upload.size })
      await tx.delete(unsettled_files).where(eq(unsettled_files.file_path, file_path))
    })
  } catch (error) {
    await upload.release()
    throw error
  }
  await upload.remove()
}

/** The name holds the moment in milliseconds: of two that meet in one, the second takes the next. */
async function reserveName(
  db: Db,
  now: Date,
  title: string,
  file_format: CheckedEbook['file_format'],
): Promise<string> {
  for (let later = 0; ; later += 1) {
    const file_path = storedName(new Date(now.getTime() + later), title, file_format)
    const isTaken = await db.$count(product_files, eq(product_files.file_path, file_path))
    const { rowCount } = await db.insert(unsettled_files).values({ file_path }).onConflictDoNothing()
    if (rowCount && !isTaken) return file_path
  }
}

async function insertEdition(tx: Transaction, product_id: string, file: StoredEdition): Promise<void> {
  const [product] = await tx
    .select({ title: products.name })
    .from(products)
    .where(eq(products.id, product_id))
  await tx.insert(product_files).values({ id: uuidv7(), product_id, title: product!.title, ...file })
}

const unsettledMs = 24 * 3_600_000

/** Removes files that were stored for a product that never came to be, and uploads that nobody finished. */
export async function sweepFiles({ db, storage, uploads, clock }: Needs): Promise<void> {
  await uploads.sweep(clock())
  const old = new Date(clock().getTime() - unsettledMs).toISOString()
  const { rows } = await db.execute<{ file_path: string }>(sql`
    select file_path from unsettled_files where created_at < ${old}
      and not exists (select from product_files f where f.file_path = unsettled_files.file_path)`)
  for (const { file_path } of rows) {
    await storage.remove(file_path)
    await db.delete(unsettled_files).where(eq(unsettled_files.file_path, file_path))
  }
}
