// Products and their editions: added, saved, and given their files.
import { and, desc, eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { catalogProblem, type CatalogShop } from './shop.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { storedName } from '#platform/storage.ts'
import type { Actor } from '#platform/audit-log.ts'
import { checkEbook, repairEbook } from '#domains/files/ebook-reader.ts'
import { importFile, saveFile, sweepFiles, withStoredFile } from '#domains/files/file-import.ts'
import type { CheckedEbook } from '#domains/files/read-upload.ts'
import type { RequestReader } from '#domains/files/request-reader.ts'
import { lockCatalogue } from './product-sql.ts'
import { changeCatalogue, recordProductEvent, requireChargeable, updateIsDigital } from './change-products.ts'
import type { FileFormat, NewEdition, NewProduct } from '#contract/catalog/products.ts'
import { isOnPaper } from '#contract/catalog/formats.ts'
import { toCents } from '#contract/money.ts'
import { product_files, products } from '#tables/catalog.ts'

export type StoredEdition = CheckedEbook & { file_path: string; file_size: number }

export async function addProduct(
  services: CatalogShop,
  actor: Actor,
  { upload_id, ...fields }: NewProduct,
  stored?: StoredEdition,
): Promise<string> {
  const { name, price, format } = fields
  requireChargeable(services, toCents(price))
  const id = uuidv7()
  const insert = async (tx: Transaction, file?: StoredEdition) => {
    const is_digital = format === 'digital'
    await tx.insert(products).values({
      id,
      ...fields,
      price: toCents(price),
      is_digital,
      file_path: file?.file_path ?? null,
    })
    if (file) await insertEdition(tx, id, file)
    await updateIsDigital(tx, id)
    const detail = { price, format, findings: file?.findings }
    await recordProductEvent(tx, actor, { id, name }, { action: 'products.added', detail })
  }
  if (upload_id) await importFile(services, upload_id, ebookImport(services, name, insert))
  else await services.db.transaction((tx) => insert(tx, stored))
  await services.catalogue.refresh()
  return id
}

export async function addEdition(services: CatalogShop, actor: Actor, id: string, edition: NewEdition) {
  const { upload_id, title, changes } = edition
  const { name, format } = await getProduct(services.db, id)
  if (isOnPaper(format)) throw catalogProblem('products.no_download')
  await importFile(
    services,
    upload_id,
    ebookImport(services, title ?? name, (tx, file) =>
      saveEdition(tx, services, actor, { id, name }, file, { title, changes }),
    ),
  )
  await services.catalogue.refresh()
}

/** Adds it as a further edition: the numbers after it stay, and nobody is emailed. */
export async function makeCurrent(
  services: CatalogShop,
  actor: Actor,
  { id, file_id }: { id: string; file_id: string },
): Promise<void> {
  const { db, storage } = services
  const { name } = await getProduct(db, id)
  const [file] = await db.select().from(product_files).where(isEdition(id, file_id))
  if (!file) throw catalogProblem('products.edition_not_found')
  const { file_path, file_format, findings, title, changes, edition: again } = file
  if ((await findNewest(db, id, file_format)) === file_id) return
  if (!(await storage.stat(file_path))) throw catalogProblem('downloads.lost')
  await withStoredFile(services, file, (path) =>
    saveFile(
      services,
      { path, file_name: file_path },
      {
        check: async () => ({ file_format, findings }),
        name: (_checked, now) => storedName(now, title, file_format),
        isOwned: isFileOwned,
        insert: (tx, copy) => saveEdition(tx, services, actor, { id, name }, copy, { title, changes, again }),
      },
    ),
  )
  await services.catalogue.refresh()
}

async function getProduct(db: Db, id: string) {
  const { name, format } = products
  const [product] = await db.select({ name, format }).from(products).where(eq(products.id, id))
  if (!product) throw catalogProblem('products.not_found')
  return product
}

async function findNewest(db: Db, id: string, format: FileFormat): Promise<string | undefined> {
  const [newest] = await db
    .select({ id: product_files.id })
    .from(product_files)
    .where(and(eq(product_files.product_id, id), eq(product_files.file_format, format)))
    .orderBy(desc(product_files.created_at), desc(product_files.id))
    .limit(1)
  return newest?.id
}

const isEdition = (id: string, file_id: string) =>
  and(eq(product_files.product_id, id), eq(product_files.id, file_id))

/** `again`: the number of the edition that it is a copy of. */
export async function saveEdition(
  tx: Transaction,
  { clock }: CatalogShop,
  actor: Actor,
  product: { id: string; name: string },
  file: StoredEdition,
  { again, ...words }: EditionWords & { again?: number } = {},
): Promise<void> {
  const { file_path, file_format, findings } = file
  const { id } = product
  await lockCatalogue(tx)
  const set = { file_path, updated_at: clock() }
  const [changed] = await tx.update(products).set(set).where(eq(products.id, id)).returning()
  // It may have become a book on paper while the file was checked.
  if (!changed || isOnPaper(changed.format)) throw catalogProblem('products.no_download')
  await insertEdition(tx, id, file, words)
  await updateIsDigital(tx, id)
  const event = again
    ? ({ action: 'products.edition_restored', detail: { file_format, edition: again } } as const)
    : ({ action: 'products.edition_added', detail: { file_format, findings } } as const)
  await recordProductEvent(tx, actor, product, event)
}

/** Takes a row `candidate` with a file_path: a product has the file, or it is the excerpt. */
export const isFileOwned = sql`(exists (select from product_files f where f.file_path = candidate.file_path)
  or exists (select from excerpt_file e where e.file_path = candidate.file_path))`

export const sweepStoredFiles = (services: Parameters<typeof sweepFiles>[0]) =>
  sweepFiles(services, isFileOwned)

export function ebookImport(
  { uploadReader }: CatalogShop,
  title: string,
  insert: (tx: Transaction, file: StoredEdition) => Promise<void>,
) {
  return {
    check: (path: string, file_name: string, request: RequestReader) => checkEbook(request, path, file_name),
    repair: (path: string, { signal }: RequestReader) => repairEbook(uploadReader, path, signal),
    name: ({ file_format }: CheckedEbook, now: Date) => storedName(now, title, file_format),
    isOwned: isFileOwned,
    insert,
  }
}

/** Stores the author's words for the owners. */
export async function setChanges(tx: Transaction, file_id: string, changes: string): Promise<void> {
  await tx.update(product_files).set({ changes }).where(eq(product_files.id, file_id))
}

/** `title`: undefined where it is the product's or, of a bonus, the one of the edition before. */
type EditionWords = { title?: string | undefined; changes?: string | undefined }

async function insertEdition(
  tx: Transaction,
  product_id: string,
  file: StoredEdition,
  { title, changes = '' }: EditionWords = {},
) {
  const { name, format } = products
  const [product] = await tx.select({ name, format }).from(products).where(eq(products.id, product_id))
  if (!product) throw catalogProblem('products.not_found')
  const current = product.format === 'bundle' ? await findTitle(tx, product_id, file) : undefined
  const shown = title ?? current ?? product.name
  const edition = sql<number>`(
    select coalesce(max(edition), 0) + 1 from product_files f
    where f.product_id = ${product_id} and f.file_format = ${file.file_format})`
  await tx.insert(product_files).values({ id: uuidv7(), product_id, edition, title: shown, changes, ...file })
}

/** A new edition of a bonus is called as the one before. */
async function findTitle(tx: Transaction, product_id: string, { file_format }: StoredEdition) {
  const isSame = and(eq(product_files.product_id, product_id), eq(product_files.file_format, file_format))
  const [newest] = await tx
    .select({ title: product_files.title })
    .from(product_files)
    .where(isSame)
    .orderBy(desc(product_files.edition))
    .limit(1)
  return newest?.title
}

const suffix = ' (copy)'
const maxName = 200

/** Returns the copy's id. Files, cover and sales are not copied. Hidden until the author shows it. */
export async function copyProduct(services: CatalogShop, actor: Actor, source_id: string): Promise<string> {
  const id = uuidv7()
  await changeCatalogue(services, async (tx) => {
    const [source] = await tx.select().from(products).where(eq(products.id, source_id))
    if (!source) throw catalogProblem('products.not_found')
    const { description, price, format, contents } = source
    const name = source.name.slice(0, maxName - suffix.length).toWellFormed() + suffix
    const is_digital = format === 'digital'
    await tx
      .insert(products)
      .values({ id, name, description, price, format, contents, is_digital, is_for_sale: false })
    await tx.execute(sql`
      insert into bundle_items (bundle_id, product_id)
      select ${id}, product_id from bundle_items where bundle_id = ${source_id}`)
    await updateIsDigital(tx, id)
    const detail = { of: source.name }
    await recordProductEvent(tx, actor, { id, name }, { action: 'products.copied', detail })
  })
  return id
}
