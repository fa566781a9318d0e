// Puts products up for sale, in the transaction that finishes the setup.
import { inArray } from 'drizzle-orm'
import type { Transaction } from '#platform/db/client.ts'
import { products } from './schema.ts'

export async function putOnSale(tx: Transaction, ids: string[]): Promise<void> {
  await tx.update(products).set({ is_for_sale: true }).where(inArray(products.id, ids))
}
