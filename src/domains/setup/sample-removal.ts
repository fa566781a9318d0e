// Removes the sample's products when an own book opens the shop: what nothing refers to is deleted, the rest is archived.
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Actor } from '#platform/audit-log.ts'
import type { Transaction } from '#platform/db/client.ts'
import { queryAll } from '#platform/db/query.ts'
import { deleteProducts, setArchived } from '#domains/catalog/change-products.ts'
import { lockCatalogue } from '#domains/catalog/product-sql.ts'
import { listSampleProducts } from '#domains/catalog/seed.ts'
import type { SetupShop } from './shop.ts'

/** Returns the files of the deleted products, which are to be removed after the commit (`removeUnsettled`). */
export async function removeSamples(tx: Transaction, services: SetupShop, actor: Actor): Promise<string[]> {
  // No product gets a file or a name of the author while the lock is held.
  await lockCatalogue(tx)
  const ids = await listSampleProducts(tx)
  const unused = await lockUnused(tx, ids)
  for (const id of ids) if (!unused.includes(id)) await setArchived(services, actor, id, true)
  return deleteProducts(tx, actor, unused)
}

const idRow = z.object({ id: z.uuid() })

/**
 * A purchase locks its product, so one that has begun is waited for, and one that begins later finds no product. Bundles are
 * locked first: whoever buys one goes on to lock its parts.
 */
async function lockUnused(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  const list = sql`${sql.param([...ids])}::uuid[]`
  await tx.execute(
    sql`select from products where id = any(${list}) order by format <> 'bundle', id for update`,
  )
  // Buyers of a bundle get the files of its parts.
  const unused = sql`
    with unused as (
      select p.id from products p where p.id = any(${list})
        and not exists (select from purchases r where r.product_id = p.id)
        and not exists (select from taken_copies r where r.product_id = p.id)
        and not exists (select from discount_codes r where r.product_id = p.id)
        and not exists (select from purchase_gifts r where r.product_id = p.id)
        and not exists (select from release_waitlist r where r.product_id = p.id)
        and not exists (select from payment_faults r where r.product_id = p.id)
        and not exists (select from sales_day r where r.product_id = p.id)
        and not exists (select from sales_day_by_country r where r.product_id = p.id)
        and not exists (select from sales_day_by_code r where r.product_id = p.id)
        and not exists (select from scheduled_emails r where r.about = p.id)
        and not exists (
          select from product_files f where f.product_id = p.id
            and (exists (select from edition_announcements r where r.file_id = f.id)
              or exists (select from scheduled_emails r where r.about = f.id)))
    )
    select id from unused where not exists (
      select from bundle_items i where i.product_id = unused.id and i.bundle_id not in (select id from unused))`
  return (await queryAll(tx, idRow, unused)).map(({ id }) => id)
}
