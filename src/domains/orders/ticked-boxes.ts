// The boxes that a buyer ticks before a purchase: the consent to instant delivery, with which the right of withdrawal ends
// (article 16 (m) of Directive 2011/83/EU), and the author's letters, which are never a condition.
import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import { lettersWords } from '#contract/mail/letters-words.ts'
import { linkDays } from '#contract/orders/prices.ts'
import type { Consent } from '#contract/orders/receipts.ts'
import type { CommerceShop } from '#domains/book/shop.ts'
import { isReleased } from '#domains/catalog/product-sql.ts'
import { lettersTerms } from '#domains/mail/letters.ts'
import { requestSubscription, subscribe, type AgreedWords } from '#domains/mail/subscribers.ts'
import type { Db, Transaction } from '#platform/db/client.ts'
import { queryFirst } from '#platform/db/query.ts'
import { products } from '#tables/catalog.ts'
import { consents, purchases, subscription_requests } from '#tables/orders.ts'
import { withTexts } from '#words/wording.ts'
import { orderProblem } from './problem.ts'

/** The words beside the boxes, as the shop shows them now. Null: there is no such box. */
export type ShownBoxes = { consent: string | null; letters: AgreedWords | null }

/** The words of the boxes that were ticked. */
export type TickedBoxes = { consent?: string | undefined; letters?: string | undefined }

/** Call it outside transactions: it may need another connection, and waiting transactions can hold all of them. */
export async function readShownBoxes(services: CommerceShop): Promise<ShownBoxes> {
  const { shown, wording } = await services.book.get()
  const terms = lettersTerms(services)
  const words = terms && withTexts(wording, () => lettersWords(terms))
  return {
    consent: shown.legal.consent,
    letters: words === null ? null : { words, language: shown.language },
  }
}

type Boxes = { purchase_id: string; shown: ShownBoxes; ticked: TickedBoxes }

/** True where the box of the letters was ticked. */
export async function saveTickedBoxes(tx: Transaction, boxes: Boxes): Promise<boolean> {
  await saveConsent(tx, boxes)
  return saveLetters(tx, boxes)
}

async function saveConsent(tx: Transaction, { purchase_id, shown, ticked }: Boxes) {
  const { consent } = shown
  if (consent === null || !(await isDeliveredAtOnce(tx, purchase_id)) || (await findConsent(tx, purchase_id)))
    return
  if (ticked.consent !== consent) throw orderProblem('purchases.consent_needed')
  await tx.insert(consents).values({ purchase_id, text: consent })
}

/** A tick beside words that the shop does not say any more is dropped: the purchase goes on. */
async function saveLetters(tx: Transaction, { purchase_id, shown: { letters }, ticked }: Boxes) {
  if (!letters || ticked.letters !== letters.words) return false
  await tx
    .insert(subscription_requests)
    .values({ purchase_id, ...letters })
    .onConflictDoNothing()
  return true
}

export async function restoreConsent(tx: Transaction, consent: typeof consents.$inferInsert) {
  await tx.insert(consents).values(consent)
}

/** Nothing of a pre-order is delivered at once. */
async function isDeliveredAtOnce(tx: Transaction, purchase_id: string): Promise<boolean> {
  const matches = and(eq(purchases.id, purchase_id), eq(products.is_digital, true), isReleased)
  const result = await tx
    .select({ id: purchases.id })
    .from(purchases)
    .innerJoin(products, eq(products.id, purchases.product_id))
    .where(matches)
  return result.length > 0
}

export async function findConsent(db: Db | Transaction, purchase_id: string): Promise<Consent | null> {
  const [row] = await db.select().from(consents).where(eq(consents.purchase_id, purchase_id))
  return row ? { text: row.text, given_at: row.given_at.toISOString() } : null
}

const buyerRow = z.object({ email: z.string(), is_proven: z.boolean() })

/**
 * The buyer who ticked the box comes onto the list with the payment: at once where signed in with a proven address, else by
 * the button in the receipt, which is enqueued in the same transaction. Where the author has switched letters off meanwhile,
 * the tick is forgotten.
 */
export async function subscribeBuyer(
  services: Pick<CommerceShop, 'settings' | 'mail' | 'clock'>,
  tx: Transaction,
  purchase_id: string,
): Promise<void> {
  const [request] = await tx
    .delete(subscription_requests)
    .where(eq(subscription_requests.purchase_id, purchase_id))
    .returning()
  if (!request || !lettersTerms(services)) return
  const now = services.clock()
  const buyer = await queryFirst(
    tx,
    buyerRow,
    sql`
      select lower(u.email) as email, u.email_confirmed_at is not null
        and not exists (select from guest_checkouts g where g.purchase_id = p.id) as is_proven
      from purchases p join auth.users u on u.id = p.user_id where p.id = ${purchase_id}`,
  )
  if (!buyer?.email.includes('@')) return
  const { words, language } = request
  const agreed = { email: buyer.email, words, language, source: 'order' as const, purchase_id }
  if (buyer.is_proven) await subscribe(tx, agreed, now)
  else await requestSubscription(tx, { ...agreed, days: linkDays }, now)
}

/** Orders that are not paid yet make nobody a subscriber any more. */
export async function dropLettersTicks(tx: Transaction): Promise<void> {
  await tx.delete(subscription_requests)
}
