import type { Db } from '#platform/db/client.ts'
import { listAdminProducts } from '#domains/delivery/admin-products.ts'
import { listSampleProducts } from '#domains/catalog/seed.ts'

/** What the author has added before the setup was finished. */
export async function listOwnProducts(db: Db) {
  const samples = await listSampleProducts(db)
  return (await listAdminProducts(db)).filter(({ id, archived_at }) => !archived_at && !samples.includes(id))
}
