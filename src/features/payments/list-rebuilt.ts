// The purchases that were made again after a restore, for the author.
import { desc, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '#platform/db/client.ts'
import type { Services } from '../../services.ts'
import { profiles } from '../accounts/schema.ts'
import { products } from '../products/schema.ts'
import { purchases } from '../purchases/schema.ts'
import { maxRebuiltShown, type RebuiltPurchases } from './contract/rebuilt-purchases.ts'
import { checkouts } from './schema.ts'
import { isSearching } from './search-since-backup.ts'

const isRebuilt = isNotNull(checkouts.rebuilt_at)

export async function listRebuilt({
  db,
  payments,
}: Pick<Services, 'db' | 'payments'>): Promise<RebuiltPurchases> {
  const rows = await selectRebuilt(db)
  const count = rows.length < maxRebuiltShown ? rows.length : await db.$count(checkouts, isRebuilt)
  const is_searching = payments.mode() !== 'none' && (await isSearching(db))
  return { is_searching, count, items: rows.map(toItem) }
}

function selectRebuilt(db: Db) {
  return db
    .select({
      id: purchases.id,
      number: purchases.number,
      amount: purchases.amount,
      currency: purchases.currency,
      status: purchases.status,
      created_at: purchases.created_at,
      email: profiles.email,
      product_name: products.name,
    })
    .from(checkouts)
    .innerJoin(purchases, eq(purchases.id, checkouts.purchase_id))
    .innerJoin(products, eq(products.id, purchases.product_id))
    .innerJoin(profiles, eq(profiles.user_id, purchases.user_id))
    .where(isRebuilt)
    .orderBy(desc(checkouts.rebuilt_at), desc(checkouts.purchase_id))
    .limit(maxRebuiltShown)
}

function toItem({
  created_at,
  ...purchase
}: Awaited<ReturnType<typeof selectRebuilt>>[number]): RebuiltPurchases['items'][number] {
  return { ...purchase, created_at: created_at.toISOString() }
}
