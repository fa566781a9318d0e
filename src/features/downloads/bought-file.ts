import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import { isEntitled } from '../entitlements/entitlements.ts'
import { fileFormat, type FileFormat } from '../products/contract/file-formats.ts'
import { newestFiles } from '../products/product-columns.ts'
import { products } from '../products/schema.ts'
import { purchases } from '../purchases/schema.ts'

export type WantedFile = {
  user_id: string
  purchase_id: string
  file_format?: FileFormat | undefined
  /** For a bundle: one of its parts. */
  product_id?: string | undefined
}

export async function findBoughtFile(db: Db, { user_id, purchase_id, file_format, product_id }: WantedFile) {
  const [row] = await db
    .select({
      is_entitled: isEntitled(sql`${purchases}`),
      name: products.name,
      is_digital: products.is_digital,
      download_url: products.download_url,
      file_path: sql<string | null>`file.file_path`,
      file_format: sql`file.file_format`.mapWith((value) => fileFormat.nullable().parse(value)),
      title: sql<string | null>`file.title`,
      is_lost: sql<boolean | null>`file.is_lost`,
    })
    .from(purchases)
    .innerJoin(products, eq(products.id, purchases.product_id))
    .leftJoin(
      sql`lateral (select * from ${newestFiles} files
        where (${file_format ?? null}::text is null or files.file_format = ${file_format ?? null})
          and (${product_id ?? null}::uuid is null or files.product_id = ${product_id ?? null})
        order by files.is_lost, files.nth limit 1) file`,
      sql`true`,
    )
    .where(and(eq(purchases.id, purchase_id), eq(purchases.user_id, user_id)))
  return row
}

export async function findNewestWithFile(db: Db) {
  const hasFile = sql`exists (select from ${newestFiles} files where not files.is_lost)`
  const [purchase] = await db
    .select({ purchase_id: purchases.id, user_id: purchases.user_id, number: purchases.number })
    .from(purchases)
    .innerJoin(products, eq(products.id, purchases.product_id))
    .where(and(eq(products.is_digital, true), isEntitled(sql`${purchases}`), hasFile))
    .orderBy(desc(purchases.created_at), desc(purchases.id))
    .limit(1)
  return purchase
}
