// Consent to instant delivery, with which the right of withdrawal ends: article 16 (m) of Directive 2011/83/EU.
import { and, eq } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import { orderProblem } from './problem.ts'
import type { WithBook } from '#domains/book/published-book.ts'
import { isReleased } from '#domains/catalog/product-columns.ts'
import { products } from '#tables/products.ts'
import type { Consent } from '#contract/orders/receipts.ts'
import { consents, purchases } from '#tables/purchases.ts'

/** Call it outside transactions: it may need another connection, and waiting transactions can hold all of them. */
export async function readAskedConsent({ book }: WithBook): Promise<string | null> {
  return (await book.get()).shown.legal.consent
}

export async function insertConsent(
  tx: Transaction,
  { purchase_id, asked, consent }: { purchase_id: string; asked: string | null; consent: string | undefined },
) {
  if (asked === null || !(await isDeliveredAtOnce(tx, purchase_id)) || (await findConsent(tx, purchase_id)))
    return
  if (consent !== asked) throw orderProblem('purchases.consent_needed')
  await tx.insert(consents).values({ purchase_id, text: asked })
}

export async function restoreConsent(tx: Transaction, consent: typeof consents.$inferInsert) {
  await tx.insert(consents).values(consent)
}

/** Nothing of a pre-order is delivered at once. */
async function isDeliveredAtOnce(tx: Transaction, purchase_id: string): Promise<boolean> {
  const matches = and(eq(purchases.id, purchase_id), eq(products.is_digital, true), isReleased)
  const found = await tx
    .select({ id: purchases.id })
    .from(purchases)
    .innerJoin(products, eq(products.id, purchases.product_id))
    .where(matches)
  return found.length > 0
}

export async function findConsent(db: Db | Transaction, purchase_id: string): Promise<Consent | null> {
  const [found] = await db.select().from(consents).where(eq(consents.purchase_id, purchase_id))
  return found ? { text: found.text, given_at: found.given_at.toISOString() } : null
}
