// What a bundle holds: whoever buys it has bought each part.
import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Format } from './contract/products.ts'
import { bundle_items } from './schema.ts'
import { products } from './schema.ts'
import { Problem } from '#platform/problem.ts'
import type { Services } from '../../services.ts'
import { recordDeed, type Actor } from '../audit/audit-log.ts'
import { lockCatalogue, setIsDigital } from './delivery.ts'

export type Part = { product_id: string; name: string; format: Format }

/** Its parts, paper first, for the row of products around it; empty for what is no bundle. */
export const namedParts = sql<Part[]>`(
  select coalesce(jsonb_agg(jsonb_build_object('product_id', part.id, 'name', part.name, 'format', part.format)
    order by array_position('{paperback,hardcover,digital}', part.format), part.name, part.id), '[]')
  from bundle_items i join products part on part.id = i.product_id
  where i.bundle_id = products.id and products.format = 'bundle')`

/** The ids of its parts, for the row of products around it; empty for what is no bundle. */
export const partsOf = sql<string[]>`(
  select coalesce(array_agg(i.product_id order by i.product_id), '{}')
  from bundle_items i where i.bundle_id = ${products.id} and ${products.format} = 'bundle')`

/** The formats of its parts, for the row of products around it; empty for what is no bundle. */
export const holds = sql<Format[]>`(
  select coalesce(array_agg(format order by array_position('{digital,paperback,hardcover}', format)), '{}')
  from (select distinct part.format from bundle_items i join products part on part.id = i.product_id
    where i.bundle_id = products.id and products.format = 'bundle') parts)`

/** Whether any of it goes by post, for the row of products around it: the same that makes its shipment once it is paid. */
export const ships = sql<boolean>`ships(${products})`

/**
 * Owners have the new parts, and no longer the ones left out, from now on. Throws products.not_found when one of them
 * does not exist, products.not_a_bundle when this is none or a part is one.
 */
export async function setParts(
  { db, clock, catalogue }: Pick<Services, 'db' | 'clock' | 'catalogue'>,
  actor: Actor,
  bundle_id: string,
  ids: readonly string[],
): Promise<void> {
  const wanted = [...new Set(ids)]
  await db.transaction(async (tx) => {
    await lockCatalogue(tx)
    const [bundle] = await tx.select().from(products).where(eq(products.id, bundle_id)).for('update')
    if (!bundle) throw new Problem('products.not_found')
    const parts = await tx
      .select({ id: products.id, name: products.name })
      .from(products)
      .where(and(inArray(products.id, wanted), ne(products.format, 'bundle')))
    if (bundle.format !== 'bundle' || parts.length < wanted.length) throw new Problem('products.not_a_bundle')
    await tx.delete(bundle_items).where(eq(bundle_items.bundle_id, bundle_id))
    if (wanted.length > 0)
      await tx.insert(bundle_items).values(wanted.map((product_id) => ({ bundle_id, product_id })))
    await setIsDigital(tx, bundle_id)
    await tx.update(products).set({ updated_at: clock() }).where(eq(products.id, bundle_id))
    const detail = { parts: parts.map(({ name }) => name) }
    await recordDeed(tx, actor, {
      action: 'products.parts_set',
      subject: bundle.name,
      subject_id: bundle_id,
      detail,
    })
  })
  catalogue.drop()
}
