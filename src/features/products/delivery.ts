// Whether a product can be delivered. What cannot is not for sale, whatever the author has chosen.
import { sql } from 'drizzle-orm'
import { deliveryGap as deliveryGapName } from './contract/admin-products.ts'
import type { Transaction } from '#platform/db/client.ts'
import { products } from './schema.ts'

/** What is missing, for the row of products around it; null when it can be delivered. */
export const deliveryGap = sql`delivery_gap(${products})`.mapWith((value) =>
  deliveryGapName.nullable().parse(value),
)

/** Whether users may buy it, for the row of products around it. */
export const isOnSale = sql<boolean>`(${products.is_for_sale} and delivery_gap(${products}) is null)`

/** One change to products and their parts at a time, so that each sees what the others have made of them. */
export async function lockCatalogue(tx: Transaction): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('lectern catalogue'))`)
}

/** To be called after a change of its format, files or parts: sets `is_digital` of it and of the bundles that hold it. */
export async function setIsDigital(tx: Transaction, product_id: string): Promise<void> {
  await tx.execute(sql`
    update products set is_digital = gives_download(products)
    where is_digital <> gives_download(products) and (id = ${product_id}
      or id in (select bundle_id from bundle_items i where i.product_id = ${product_id}))`)
}
