// The consent to the instant delivery of digital content, and that the right of withdrawal ends with it, as article 16 (m) of
// Directive 2011/83/EU asks for.
import { and, eq } from 'drizzle-orm'
import type { Db, Transaction } from '#platform/db/client.ts'
import { Problem } from '../../problems.ts'
import type { WithBook } from '../book/published-book.ts'
import { products } from '../products/schema.ts'
import type { Consent } from './contract/receipts.ts'
import { consents, purchases } from './schema.ts'

/**
 * The words that buyers are asked to agree to; null where the shop does not ask. Not to be called within a transaction:
 * the book may be read over another connection, and transactions that wait for one can hold all of them.
 */
export async function readAskedConsent({ book }: WithBook): Promise<string | null> {
  return (await book.get()).shown.legal.consent
}

/**
 * Keeps the consent that came with a purchase; of one that was made before, the consent of then counts. Throws
 * purchases.consent_needed for digital content, where the shop asks and the buyer has not agreed to these very words.
 */
export async function insertConsent(
  tx: Transaction,
  { purchase_id, asked, consent }: { purchase_id: string; asked: string | null; consent: string | undefined },
): Promise<void> {
  if (asked === null || !(await isDigital(tx, purchase_id)) || (await findConsent(tx, purchase_id))) return
  if (consent !== asked) throw new Problem('purchases.consent_needed')
  await tx.insert(consents).values({ purchase_id, text: asked })
}

/** Of a purchase that is made again from what its payment names. */
export async function restoreConsent(tx: Transaction, consent: typeof consents.$inferInsert): Promise<void> {
  await tx.insert(consents).values(consent)
}

async function isDigital(tx: Transaction, purchase_id: string): Promise<boolean> {
  const matches = and(eq(purchases.id, purchase_id), eq(products.is_digital, true))
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
