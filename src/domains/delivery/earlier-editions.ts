// Editions of a product: all of them, for a buyer; and the file of any of them, for the author, as long as the session and
// the role last that asked for the link.
import { eq, sql, and } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import { platformProblem } from '#platform/problem.ts'
import { ownEdition, type OwnEdition } from '#contract/delivery/editions.ts'
import { z } from 'zod'
import { queryAll, isoTime } from '#platform/db/query.ts'
import { isEntitled } from '#domains/orders/entitlements.ts'
import { mediaTypes } from '#contract/catalog/products.ts'
import { product_files } from '#tables/catalog.ts'
import { orderProblem } from '#domains/orders/problem.ts'
import { ownedEditions } from './downloads.ts'
import { purchases } from '#tables/orders.ts'
import { catalogProblem } from '#domains/catalog/shop.ts'
import { readLink, writeLink, type LinkHolder } from '#platform/signed-links.ts'
import type { CommerceShop } from '#domains/book/shop.ts'

const ownEditionRow = ownEdition.extend({ created_at: isoTime })

/** Newest first; empty for a purchase that gives nothing any more. */
export async function listOwnEditions(
  db: Db,
  { user_id, purchase_id }: { user_id: string; purchase_id: string },
): Promise<OwnEdition[]> {
  const isOwn = and(eq(purchases.id, purchase_id), eq(purchases.user_id, user_id))
  if ((await db.$count(purchases, isOwn)) === 0) throw orderProblem('purchases.not_found')
  return queryAll(
    db,
    ownEditionRow,
    sql`
      select owned.product_id, owned.title, owned.file_format, owned.edition, owned.changes, owned.created_at, owned.is_lost
      from purchases join products on products.id = purchases.product_id, lateral ${ownedEditions} owned
      where ${isOwn} and ${isEntitled(sql`purchases`)}
      order by owned.created_at desc, owned.file_format, owned.product_id`,
  )
}

export async function requestEdition(
  services: CommerceShop,
  holder: LinkHolder,
  id: string,
): Promise<{ url: string }> {
  const [file] = await services.db.select().from(product_files).where(eq(product_files.id, id))
  if (!file) throw catalogProblem('products.edition_not_found')
  if (!(await services.storage.stat(file.file_path))) throw catalogProblem('downloads.lost')
  return { url: `/api/edition-files/${writeLink(services, 'editions', holder, id)}` }
}

export async function openEdition(services: CommerceShop, token: string) {
  const { db, storage } = services
  const { content, holder } = await readLink(services, 'editions', token, z.uuid())
  if (!holder.is_admin) throw platformProblem('access.forbidden')
  const [record] = await db.select().from(product_files).where(eq(product_files.id, content))
  const file = record && (await storage.stat(record.file_path))
  if (!file) throw catalogProblem('downloads.lost')
  const { file_path, file_format, title, edition } = record
  const file_name = `${title}, edition ${edition}.${file_format}`
  return { ...file, file_path, file_name, media_type: mediaTypes[file_format] }
}
