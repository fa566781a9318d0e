// Adding and changing products. What was paid before never changes; a file that was bought stays.
import type { WithCatalogue } from './catalogue.ts'
import { isDeepStrictEqual } from 'node:util'
import { eq, inArray, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { chargeLimits, isChargeable } from '../payments/contract/charge-limits.ts'
import {
  adminProduct,
  digitalFollowsFormat,
  isDigitalAsFormat,
  type NewEdition,
  type NewProduct,
  type ProductChange,
  type AdminProduct,
} from './contract/admin-products.ts'
import type { Format } from './contract/products.ts'
import { storedName } from '#platform/stored-name.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { isoTime, queryAll } from '#platform/db/query.ts'
import { bundle_items } from './schema.ts'
import { product_files, products } from './schema.ts'
import { Problem } from '../../problems.ts'
import type { Services } from '../../services.ts'
import { recordAuditEvent, type Actor } from '../audit/audit-log.ts'
import { isSoldOut, partsOf } from './bundle-contents.ts'
import { checkEbook, type WithUploadReader } from '../ebooks/check.ts'
import type { CheckedEbook } from '../ebooks/read-upload.ts'
import { cover, coverUrl } from './cover.ts'
import { deliveryGap, isOnSale, lockCatalogue, setIsDigital } from './delivery.ts'
import { importFile } from '../ebooks/file-import.ts'

type Needs = Pick<Services, 'db' | 'storage' | 'uploads' | 'clock' | 'payments' | 'settings'> &
  WithUploadReader &
  WithCatalogue

/** In the order of the page. */
export function listAdminProducts(db: Db, only?: string): Promise<AdminProduct[]> {
  const query = sql`
    select products.id, products.name, products.description, products.price, products.format, products.is_digital,
      products.contents, ${isOnSale} as is_for_sale, not products.is_for_sale as is_hidden, products.archived_at,
      ${deliveryGap} as delivery_gap, ${coverUrl} as cover_url, ${cover} as cover,
      products.cover_path is not null as has_old_cover,
      ${partsOf} as parts, products.created_at, products.updated_at,
      (select copies from stock where product_id = products.id) as copies, ${isSoldOut} as is_sold_out,
      (select count(*) from taken_copies t join purchases b on b.id = t.purchase_id
        where t.product_id = products.id and b.status = 'pending') as copies_reserved,
      (select coalesce(sum(purchases), 0) from sales_day where product_id = products.id) - given.count as sold,
      given.count as given,
      (
        select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'title', f.title, 'file_format', f.file_format, 'file_size', f.file_size,
          'findings', f.findings, 'is_lost', f.lost_at is not null, 'created_at', f.created_at) order by f.created_at desc, f.id desc), '[]')
        from product_files f where f.product_id = products.id
      ) as editions
    from products, lateral (
      select count(purchase_id) from gifts where product_id = products.id) given
    where ${only ? sql`products.id = ${only}` : sql`true`}
    order by products.position nulls last, products.price, products.id`
  return queryAll(db, productRow, query)
}

const productRow = adminProduct.extend({
  created_at: isoTime,
  updated_at: isoTime,
  archived_at: isoTime.nullable(),
})

export async function getAdminProduct(db: Db, id: string): Promise<AdminProduct> {
  const [product] = await listAdminProducts(db, id)
  if (!product) throw new Problem('products.not_found')
  return product
}

/**
 * The product and its file, or neither. Throws uploads.not_found and what checkEbook throws; the upload then stays, to
 * be tried again.
 */
export async function addProduct(
  services: Needs,
  actor: Actor,
  { upload_id, ...fields }: NewProduct & { is_for_sale?: boolean },
): Promise<string> {
  requireChargeable(services, fields.price)
  const id = uuidv7()
  const write = async (tx: Transaction, file?: StoredEdition) => {
    const is_digital = fields.format === 'digital'
    await tx.insert(products).values({ id, ...fields, is_digital, file_path: file?.file_path ?? null })
    if (file) await insertEdition(tx, id, file)
    await setIsDigital(tx, id)
    const detail = { price: fields.price, format: fields.format, findings: file?.findings }
    await recordAuditEvent(tx, actor, {
      action: 'products.added',
      subject: fields.name,
      subject_id: id,
      detail,
    })
  }
  if (upload_id) await importFile(services, upload_id, { ...asEbook(services, fields.name), insert: write })
  else await services.db.transaction((tx) => write(tx))
  await services.catalogue.refresh()
  return id
}

/** Owners get it from now on; the old one stays. */
export async function addEdition(
  services: Needs,
  actor: Actor,
  id: string,
  { upload_id, title }: NewEdition,
): Promise<void> {
  const { name, format } = await getAdminProduct(services.db, id)
  if (isOnPaper(format)) throw new Problem('products.no_download')
  const write = async (tx: Transaction, file: StoredEdition) => {
    await lockCatalogue(tx)
    const now = { file_path: file.file_path, updated_at: services.clock() }
    const [changed] = await tx.update(products).set(now).where(eq(products.id, id)).returning()
    // It may have become a book on paper while the file was checked.
    if (!changed || isOnPaper(changed.format)) throw new Problem('products.no_download')
    await insertEdition(tx, id, file, title)
    await setIsDigital(tx, id)
    const detail = { file_format: file.file_format, findings: file.findings }
    await recordAuditEvent(tx, actor, {
      action: 'products.edition_added',
      subject: name,
      subject_id: id,
      detail,
    })
  }
  await importFile(services, upload_id, { ...asEbook(services, title ?? name), insert: write })
  await services.catalogue.refresh()
}

const isOnPaper = (format: Format) => format === 'paperback' || format === 'hardcover'

/** What is as it is wanted already is no change, and not written down as one. */
export async function changeProduct(
  services: Pick<Services, 'db' | 'clock' | 'payments' | 'settings'> & WithCatalogue,
  actor: Actor,
  id: string,
  { is_digital, ...change }: ProductChange,
): Promise<void> {
  const { db, clock, catalogue } = services
  if (change.price !== undefined) requireChargeable(services, change.price)
  await db.transaction(async (tx) => {
    await lockCatalogue(tx)
    const [before] = await tx.select().from(products).where(eq(products.id, id)).for('update')
    if (!before) throw new Problem('products.not_found')
    if (before.archived_at && change.is_for_sale) throw new Problem('products.archived')
    const format = change.format ?? before.format
    if (!isDigitalAsFormat({ format, is_digital }))
      throw new Problem('request.invalid', { fields: { is_digital: digitalFollowsFormat } })
    if (format === 'bundle' && (await isPart(tx, id))) throw new Problem('products.not_a_bundle')
    const stored: Record<string, unknown> = before
    const changed = Object.entries(change)
      .map(([field, to]) => [field, { from: stored[field], to }] as const)
      .filter(([, { from, to }]) => !isDeepStrictEqual(from, to))
    if (changed.length === 0) return
    await tx
      .update(products)
      .set({
        ...change,
        is_digital: format === 'bundle' ? before.is_digital : format === 'digital',
        updated_at: clock(),
      })
      .where(eq(products.id, id))
    await setIsDigital(tx, id)
    const detail = Object.fromEntries(changed)
    await recordAuditEvent(tx, actor, {
      action: 'products.changed',
      subject: before.name,
      subject_id: id,
      detail,
    })
  })
  // Other processes hear of it in a moment; this one must know it before it responds.
  await catalogue.refresh()
}

async function isPart(tx: Transaction, product_id: string): Promise<boolean> {
  const [item] = await tx.select().from(bundle_items).where(eq(bundle_items.product_id, product_id)).limit(1)
  return item !== undefined
}

/** What could never be paid is refused when it is set. */
function requireChargeable(
  { payments, settings }: Pick<Services, 'payments' | 'settings'>,
  price: number,
): void {
  const { currency } = settings.get().shop
  if (payments.mode() !== 'none' && !isChargeable(price, currency))
    throw new Problem('request.invalid', { fields: { price: chargeLimits(currency).words } })
}

export async function orderProducts(
  { db, catalogue }: Pick<Services, 'db'> & WithCatalogue,
  actor: Actor,
  ids: readonly string[],
): Promise<void> {
  await db.transaction(async (tx) => {
    // As every change of several products, whose rows are locked in another order.
    await lockCatalogue(tx)
    const found = await tx
      .select({ id: products.id, name: products.name })
      .from(products)
      .where(inArray(products.id, [...ids]))
      .orderBy(products.id)
      .for('no key update')
    if (found.length !== new Set(ids).size) throw new Problem('products.not_found')
    for (const [position, id] of ids.entries())
      await tx.update(products).set({ position }).where(eq(products.id, id))
    await recordAuditEvent(tx, actor, {
      action: 'products.ordered',
      subject: 'the order on the page',
      detail: { order: ids.map((id) => found.find((each) => each.id === id)?.name) },
    })
  })
  await catalogue.refresh()
}

type StoredEdition = CheckedEbook & { file_path: string; file_size: number }

const asEbook = ({ uploadReader }: WithUploadReader, title: string) => ({
  check: (path: string, file_name: string) => checkEbook(uploadReader, path, file_name),
  name: ({ file_format }: CheckedEbook, now: Date) => storedName(now, title, file_format),
})

async function insertEdition(
  tx: Transaction,
  product_id: string,
  file: StoredEdition,
  title?: string,
): Promise<void> {
  const [product] = await tx.select({ name: products.name }).from(products).where(eq(products.id, product_id))
  if (!product) throw new Problem('products.not_found')
  await tx.insert(product_files).values({ id: uuidv7(), product_id, title: title ?? product.name, ...file })
}
