// Changes of products. What was paid before never changes; a file that was bought stays.
import { toCents, type Cents } from '#contract/money.ts'
import { isDeepStrictEqual } from 'node:util'
import { and, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { platformProblem } from '#platform/problem.ts'
import { catalogProblem, type CatalogShop } from './shop.ts'
import type { Transaction } from '#platform/db/client.ts'
import { recordAuditEvent, type Actor, type AuditEvent } from '#platform/audit-log.ts'
import { chargeLimits, isChargeable } from '#contract/stripe.ts'
import { lockCatalogue } from './product-sql.ts'
import { requirePayable } from './sale-mode.ts'
import { recordPrices } from './price-history.ts'
import { digitalFollowsFormat, isDigitalAsFormat, type ProductChange } from '#contract/catalog/products.ts'
import { bundle_items, product_files, product_prices, products, stock } from '#tables/catalog.ts'
import { insertUnsettled } from '#domains/files/file-import.ts'
import { importPicture } from '#domains/files/pictures.ts'
import { z } from 'zod'
import { queryAll } from '#platform/db/query.ts'

type Product = Pick<typeof products.$inferSelect, 'id' | 'name'>

export async function recordProductEvent(
  tx: Transaction,
  actor: Actor,
  { id: subject_id, name: subject }: Product,
  event: Pick<AuditEvent, 'action' | 'detail'>,
) {
  await recordAuditEvent(tx, actor, { ...event, subject, subject_id })
}

/** Its prices count from the same moment. */
export async function changeCatalogue(services: CatalogShop, change: (tx: Transaction) => Promise<void>) {
  await services.db.transaction(async (tx) => {
    await lockCatalogue(tx)
    await change(tx)
    await recordPrices(tx, services)
  })
  // A notification reaches other processes a moment later; this one shows the change before it responds.
  await services.catalogue.refresh()
}

export async function lockProduct(tx: Transaction, id: string) {
  const [product] = await tx.select().from(products).where(eq(products.id, id)).for('update')
  if (!product) throw catalogProblem('products.not_found')
  return product
}

/** Must be called after a change of a product's format, files or parts; sets it for the bundles that hold it, too. */
export async function updateIsDigital(tx: Transaction, product_id: string): Promise<void> {
  await tx.execute(sql`
    update products set is_digital = gives_download(products)
    where is_digital <> gives_download(products) and (id = ${product_id}
      or id in (select bundle_id from bundle_items i where i.product_id = ${product_id}))`)
}

export function requireChargeable({ payments, settings }: CatalogShop, price: Cents): void {
  const { currency } = settings.get().shop
  requirePayable('price', price, currency)
  if (payments.mode() !== 'none' && !isChargeable(price, currency))
    throw platformProblem('request.invalid', { fields: { price: chargeLimits(currency).words } })
}

/** `follow` runs in the same transaction, with the names of the fields that have changed. */
export async function changeProduct(
  services: CatalogShop,
  actor: Actor,
  id: string,
  productChange: Omit<ProductChange, 'release_on'>,
  follow?: (tx: Transaction, changed: ReadonlySet<string>) => Promise<void>,
) {
  const { is_digital, price, ...others } = productChange
  const change = { ...others, ...(price !== undefined && { price: toCents(price) }) }
  if (change.price !== undefined) requireChargeable(services, change.price)
  await changeCatalogue(services, async (tx) => {
    const before = await lockProduct(tx, id)
    if (before.archived_at && change.is_for_sale) throw catalogProblem('products.archived')
    const format = change.format ?? before.format
    if (!isDigitalAsFormat({ format, is_digital }))
      throw platformProblem('request.invalid', { fields: { is_digital: digitalFollowsFormat } })
    if (format === 'bundle' && (await isPart(tx, id))) throw catalogProblem('products.not_a_bundle')
    const saved: Record<string, unknown> = before
    const changed = Object.entries(change)
      .map(([field, to]) => [field, { from: saved[field], to }] as const)
      .filter(([, { from, to }]) => !isDeepStrictEqual(from, to))
    if (changed.length > 0) {
      const nowDigital = format === 'bundle' ? before.is_digital : format === 'digital'
      const set = { ...change, is_digital: nowDigital, updated_at: services.clock() }
      await tx.update(products).set(set).where(eq(products.id, id))
      await updateIsDigital(tx, id)
      const detail = Object.fromEntries(changed)
      await recordProductEvent(tx, actor, before, { action: 'products.changed', detail })
    }
    await follow?.(tx, new Set(changed.map(([field]) => field)))
  })
}

async function isPart(tx: Transaction, product_id: string) {
  const [item] = await tx.select().from(bundle_items).where(eq(bundle_items.product_id, product_id)).limit(1)
  return item !== undefined
}

export async function orderProducts(
  services: CatalogShop,
  actor: Actor,
  ids: readonly string[],
): Promise<void> {
  await changeCatalogue(services, async (tx) => {
    const { id, name } = products
    const isOne = inArray(id, [...ids])
    const result = await tx.select({ id, name }).from(products).where(isOne).orderBy(id).for('no key update')
    if (result.length !== new Set(ids).size) throw catalogProblem('products.not_found')
    for (const [position, each] of ids.entries())
      await tx.update(products).set({ position }).where(eq(id, each))
    const order = ids.map((each) => result.find((product) => product.id === each)?.name)
    const subject = 'the order on the page'
    await recordAuditEvent(tx, actor, { action: 'products.ordered', subject, detail: { order } })
  })
}

/** Never sold, and kept by those who bought it. One that comes back stays hidden until the author shows it. */
export async function setArchived(services: CatalogShop, actor: Actor, id: string, isArchived: boolean) {
  await changeCatalogue(services, async (tx) => {
    const before = await lockProduct(tx, id)
    if ((before.archived_at !== null) === isArchived) return
    const now = services.clock()
    const set = { archived_at: isArchived ? now : null, is_for_sale: false, updated_at: now }
    await tx.update(products).set(set).where(eq(products.id, id))
    const action = isArchived ? 'products.archived' : 'products.unarchived'
    await recordProductEvent(tx, actor, before, { action })
  })
}

/**
 * Must be called with the catalogue and the products locked, for products to which no row of another domain refers. Returns
 * their files, noted in `unsettled_files`.
 */
export async function deleteProducts(
  tx: Transaction,
  actor: Actor,
  ids: readonly string[],
): Promise<string[]> {
  const own = [...ids]
  await tx
    .delete(bundle_items)
    .where(or(inArray(bundle_items.bundle_id, own), inArray(bundle_items.product_id, own)))
  await tx.delete(stock).where(inArray(stock.product_id, own))
  await tx.delete(product_prices).where(inArray(product_prices.product_id, own))
  const files = await tx.delete(product_files).where(inArray(product_files.product_id, own)).returning()
  const deleted = await tx.delete(products).where(inArray(products.id, own)).returning()
  for (const product of deleted) await recordProductEvent(tx, actor, product, { action: 'products.deleted' })
  const file_paths = files.map(({ file_path }) => file_path)
  await insertUnsettled(tx, file_paths)
  return file_paths
}

export async function setParts(
  services: CatalogShop,
  actor: Actor,
  bundle_id: string,
  ids: readonly string[],
) {
  const uniqueIds = [...new Set(ids)]
  await changeCatalogue(services, async (tx) => {
    const bundle = await lockProduct(tx, bundle_id)
    const { id, name, format } = products
    const isSingle = and(inArray(id, uniqueIds), ne(format, 'bundle'))
    const parts = await tx.select({ name }).from(products).where(isSingle)
    if (bundle.format !== 'bundle' || parts.length < uniqueIds.length)
      throw catalogProblem('products.not_a_bundle')
    await tx.delete(bundle_items).where(eq(bundle_items.bundle_id, bundle_id))
    if (uniqueIds.length > 0)
      await tx.insert(bundle_items).values(uniqueIds.map((product_id) => ({ bundle_id, product_id })))
    await updateIsDigital(tx, bundle_id)
    await tx.update(products).set({ updated_at: services.clock() }).where(eq(products.id, bundle_id))
    const detail = { parts: parts.map((part) => part.name) }
    await recordProductEvent(tx, actor, bundle, { action: 'products.parts_set', detail })
  })
}

export async function putOnSale(tx: Transaction, ids: string[]): Promise<void> {
  await tx.update(products).set({ is_for_sale: true }).where(inArray(products.id, ids))
}

export async function setCover(
  services: CatalogShop,
  actor: Actor,
  id: string,
  upload_id: string,
): Promise<void> {
  await importPicture(services, upload_id, (tx, picture) => updateCover(tx, services, actor, id, picture.id))
  await services.catalogue.refresh()
}

export async function removeCover(services: CatalogShop, actor: Actor, id: string): Promise<void> {
  await changeCatalogue(services, (tx) => updateCover(tx, services, actor, id, null))
}

async function updateCover(
  tx: Transaction,
  { clock }: CatalogShop,
  actor: Actor,
  id: string,
  cover_id: string | null,
) {
  const before = await lockProduct(tx, id)
  const set = { cover_id, updated_at: clock() }
  await tx.update(products).set(set).where(eq(products.id, id))
  const action = cover_id ? 'products.cover_set' : 'products.cover_removed'
  await recordProductEvent(tx, actor, before, { action })
}

/** Lets whoever has ordered it be told of the new day. */
export async function setReleaseDay(
  tx: Transaction,
  { id, day, now }: { id: string; day: string | null; now: Date },
): Promise<void> {
  const set = { release_on: day, release_queued_at: null, updated_at: now }
  await tx.update(products).set(set).where(eq(products.id, id))
}

const released = z.object({ id: z.string(), release_on: z.string() })

/** Takes products that have come out and can be delivered, each once. */
export function takeReleased(tx: Transaction, now: Date): Promise<z.infer<typeof released>[]> {
  const query = sql`
    update products set release_queued_at = ${now}
    where release_on <= shop_day() and release_queued_at is null and delivery_gap(products) is null
    returning id, release_on::text`
  return queryAll(tx, released, query)
}
