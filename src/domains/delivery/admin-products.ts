import { sql } from 'drizzle-orm'
import { catalogProblem } from '#domains/catalog/problem.ts'
import type { Db } from '#platform/db/client.ts'
import { isoTime, queryAll } from '#platform/db/query.ts'
import { adminProduct, type AdminProduct } from '#contract/catalog/admin-products.ts'
import { countOrdered } from '#domains/orders/orders-of-product.ts'
import {
  cover,
  coverUrl,
  deliveryGap,
  isOnSale,
  isReleased,
  isSoldOut,
  partsOf,
  pendingRelease,
} from '#domains/catalog/product-columns.ts'

export function listAdminProducts(db: Db, only?: string): Promise<AdminProduct[]> {
  const query = sql`
    select products.id, products.name, products.description, products.price, products.format, products.is_digital,
      products.contents, ${isOnSale} as is_for_sale, not products.is_for_sale as is_hidden, products.archived_at,
      ${deliveryGap} as delivery_gap, products.release_on::text, ${isReleased} as is_released,
      ${pendingRelease} as pending_release, (case when ${isReleased} then 0 else ${countOrdered(sql`products.id`)} end) as preorders,
      (select count(*) from release_waitlist w
        where w.product_id = products.id and w.confirmed_at is not null and w.queued_at is null) as awaited_by,
      ${coverUrl} as cover_url, ${cover} as cover,
      products.cover_path is not null as has_old_cover,
      ${partsOf} as parts, products.created_at, products.updated_at,
      (select copies from stock where product_id = products.id) as copies, ${isSoldOut} as is_sold_out,
      (select count(*) from taken_copies t join purchases b on b.id = t.purchase_id
        where t.product_id = products.id and b.status = 'pending') as copies_reserved,
      (select coalesce(sum(purchases), 0) from sales_day where product_id = products.id) - given.count as sold,
      given.count as given,
      (
        select coalesce(jsonb_agg(jsonb_build_object('id', f.id, 'title', f.title, 'file_format', f.file_format, 'file_size', f.file_size,
          'edition', f.edition, 'changes', f.changes, 'findings', f.findings, 'is_lost', f.lost_at is not null, 'created_at', f.created_at,
          'is_announced', exists (select from edition_announcements a where a.file_id = f.id)) order by f.created_at desc, f.id desc), '[]')
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
  if (!product) throw catalogProblem('products.not_found')
  return product
}
